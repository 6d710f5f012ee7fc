import { ownPath } from '../system/ownPath.ts';
import type { ProcessEnd, ProcessRunner } from '../system/processes.ts';
import { environmentFor } from '../system/secretPolicy.ts';
import { findPipe } from './findPipe.ts';
import { foreignPrograms, isPlainFileIn, readConfigList } from './foreignPrograms.ts';
import { type GitEnvironment, gitEnvironment, HARDENED, type Settings } from './hardening.ts';
import { LineSplitter } from './lineSplitter.ts';

export interface GitCommand extends GitEnvironment {
  readonly folder: string;
  readonly args: readonly string[];
  /** A list is written as lines. */
  readonly input?: string | readonly string[];
  readonly timeoutMs?: number;
  /** Exit codes other than 0 that do not mean a failure. */
  readonly okCodes?: readonly number[];
  /** Takes stdout line by line as it comes, for lists without a bound; `stdout` is then empty. */
  readonly onLine?: (line: string) => void;
}

export interface GitFailure {
  readonly type: 'failed';
  /** In one sentence. */
  readonly reason: string;
  readonly stderr: string;
  /** A file got shorter while git had it mapped, which kills git without a message (SIGBUS). */
  readonly wasCutShort: boolean;
  /** Absent when git did not exit by itself. */
  readonly exitCode?: number;
}

/** How a git command ended. */
export type GitEnd = { readonly type: 'done'; readonly stdout: string; readonly stderr: string } | GitFailure;

/**
 * A git command that failed. Functions of this folder that need several commands reject with it, as with an error of
 * `node:fs`; those that start a piece of work turn both into an outcome, by `failureOf`.
 */
export class GitError extends Error {
  readonly failure: GitFailure;

  constructor(failure: GitFailure) {
    super(failure.reason);
    this.failure = failure;
  }
}

/** A bug stays an exception. */
export function failureOf(error: unknown): { readonly type: 'failed'; readonly reason: string } {
  if (error instanceof GitError) return { type: 'failed', reason: error.message };
  if (error instanceof TypeError || error instanceof ReferenceError || error instanceof RangeError) throw error;
  return { type: 'failed', reason: `${error instanceof Error ? error.message : String(error)}.` };
}

/** What a command prints, without the blanks around it. */
export async function outputOf(git: Pick<Git, 'run'>, command: GitCommand): Promise<string> {
  const end = await git.run(command);
  if (end.type === 'failed') throw new GitError(end);
  return end.stdout.trim();
}

/** What a command prints, one value per line; lines for which `read` returns undefined are skipped. */
export async function readLines<Value>(
  git: Pick<Git, 'run'>,
  command: GitCommand,
  read: (line: string) => Value | undefined,
): Promise<Value[]> {
  const values: Value[] = [];
  const onLine = (line: string) => {
    const value = read(line);
    if (value !== undefined) values.push(value);
  };
  await outputOf(git, { ...command, onLine });
  return values;
}

/** Runs git without a shell, prompts, hooks or programs of the repository, bounded in time and output. */
export interface Git {
  run(command: GitCommand): Promise<GitEnd>;
  /** Settings that disable the programs that `run` disables in a folder; none where they may run. Rejects. */
  programsOff(folder: string): Promise<Settings>;
}

export interface GitOptions {
  readonly processes: ProcessRunner;
  readonly env: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal;
  /** For each command; a minute by default. */
  readonly timeoutMs?: number;
  /**
   * Whether programs that the repository's own configuration names (filters, drivers) may run: only where the user trusts
   * the folder. Programs of the user's configuration always may.
   */
  readonly repositoryPrograms?: 'run' | 'off' | (() => Promise<'run' | 'off'>);
}

const MAX_OUTPUT_BYTES = 4_000_000;
const MAX_STDERR_WITH_LINES = 64_000;
const DEFAULT_TIMEOUT_MS = 60_000;
/** For commands that read a few small files: if it takes longer, one of them is a pipe. */
const SHORT_TIMEOUT_MS = 10_000;

/**
 * Commands that neither read the files of a worktree nor write, and so run no driver and no hook. For all others the
 * configuration is read first.
 */
const INERT = new Set([
  ...['cat-file', 'commit-tree', 'config', 'diff-tree', 'for-each-ref', 'ls-files', 'ls-tree', 'mktree', 'rev-list'],
  ...['rev-parse', 'symbolic-ref', 'var'],
]);

const isInertCommand = ([name = '', first]: readonly string[]) =>
  INERT.has(name) || (name === 'diff-index' && first === '--cached');

export function openGit(options: GitOptions): Git {
  const { repositoryPrograms: programs } = options;
  const mayRun = async () => (typeof programs === 'function' ? await programs() : programs) === 'run';
  const programsOff = async (folder: string) => ((await mayRun()) ? {} : findPrograms(options, folder));
  return {
    programsOff,
    async run(command) {
      // these have a configuration of our own
      const isInert = command.apart !== undefined || command.network !== undefined || isInertCommand(command.args);
      const pipe = findPipe(command.folder);
      if (pipe !== undefined) return failed(`${pipe} is not a regular file, and git would wait for it; remove it.`);
      try {
        const off = isInert ? {} : await programsOff(command.folder);
        return await start(options, { ...command, settings: { ...off, ...command.settings } });
      } catch (error) {
        if (error instanceof GitError) return error.failure;
        throw error;
      }
    },
  };
}

/** Without our own settings, which git would list as the user's. */
const UNCHANGED = ['--no-pager', '-c', 'safe.bareRepository=explicit'];

/** Reading the configuration runs nothing; an included file may be a pipe, hence the timeout. */
async function findPrograms(options: GitOptions, folder: string): Promise<Settings> {
  const args = ['config', '--list', '--null', '--show-scope', '--includes'];
  const listed = await start(options, { folder, args }, UNCHANGED);
  if (listed.type === 'failed') throw new GitError(listed);
  const off = foreignPrograms(readConfigList(listed.stdout), isPlainFileIn(folder, options.env.HOME));
  if (off) return off;
  throw new GitError(
    failed(`The git configuration in ${folder} names too many programs to keep them all from running.`),
  );
}

async function start(
  { processes, env, signal, timeoutMs }: GitOptions,
  command: GitCommand,
  before: readonly string[] = HARDENED,
): Promise<GitEnd> {
  const { input } = command;
  const lines = command.onLine && new LineSplitter(command.onLine);
  const usualMs = INERT.has(command.args[0] ?? '') ? SHORT_TIMEOUT_MS : DEFAULT_TIMEOUT_MS;
  const end = await processes.start({
    file: 'git',
    args: [...before, ...command.args],
    cwd: command.folder,
    // the credential helpers of the user may need their secrets
    env: gitEnvironment(
      { ...(command.network ? env : environmentFor('helper', env)), PATH: ownPath(env.PATH, command.folder) },
      command,
    ),
    timeoutMs: command.timeoutMs ?? timeoutMs ?? usualMs,
    maxOutputBytes: lines ? MAX_STDERR_WITH_LINES : MAX_OUTPUT_BYTES,
    ...(input !== undefined && { input: typeof input === 'string' ? input : `${input.join('\n')}\n` }),
    ...(signal && { signal }),
    ...(lines && { onOutput: (stream, text) => stream === 'stdout' && lines.push(text) }),
  }).ended;
  lines?.end();
  return readEnd(end, command);
}

function readEnd(end: ProcessEnd, { args, folder, onLine, okCodes = [] }: GitCommand): GitEnd {
  if (end.type === 'notStarted') {
    return failed(/no such executable/.test(end.error) ? 'Git is not installed, or not on PATH.' : end.error);
  }
  const { stderr } = end;
  const what = `git ${args[0]} in ${folder}`;
  if (end.type === 'timedOut') return failed(`${what} did not end in time and was stopped.`, stderr);
  if (end.type === 'aborted') return failed(`${what} was interrupted.`, stderr);
  if (end.type === 'signalled')
    return { ...failed(`${what} was ended by ${end.signal}.`, stderr), wasCutShort: end.signal === 'SIGBUS' };
  if (end.code !== 0 && !okCodes.includes(end.code)) {
    return { ...failed(whyGitFailed({ what, folder, code: end.code, stderr }), stderr), exitCode: end.code };
  }
  if (onLine) return { type: 'done', stdout: '', stderr };
  if (end.droppedBytes > 0) return failed(`${what} printed more than ${MAX_OUTPUT_BYTES} bytes.`, stderr);
  return { type: 'done', stdout: end.stdout, stderr };
}

const failed = (reason: string, stderr = '') => ({ type: 'failed', reason, stderr, wasCutShort: false }) as const;

interface Failure {
  readonly what: string;
  readonly folder: string;
  readonly code: number;
  readonly stderr: string;
}

/** Git's own messages about its surroundings, and what they mean for the reader. The first match counts. */
const REASONS: readonly (readonly [RegExp, (failure: Failure, match: RegExpExecArray) => string])[] = [
  [/No space left on device|Disk quota exceeded/i, ({ folder }) => `The disk of ${folder} is full.`],
  [
    /dubious ownership in repository at '([^']*)'/,
    (_, [, path]) =>
      `Git does not use ${path} because another user owns it; if you trust it: git config --global --add safe.directory '${path}'`,
  ],
  [
    /Read-only file system|insufficient permission for adding an object|Permission denied|unable to create temporary file/i,
    ({ what, stderr }) => `${what} may not write (or read) what it needs: ${firstComplaint(stderr)}.`,
  ],
  [/\.lock': File exists/, ({ what }) => `${what} found a lock: another git command is running there, or one crashed.`],
];

/** One sentence for a git command that ended with an error. */
export function whyGitFailed(failure: Failure): string {
  for (const [pattern, reason] of REASONS) {
    const match = pattern.exec(failure.stderr);
    if (match) return reason(failure, match);
  }
  return `${failure.what} failed: ${firstComplaint(failure.stderr) || `exit code ${failure.code}`}.`;
}

/** The first `fatal:` or `error:` line; later ones often only repeat that something failed. */
function firstComplaint(stderr: string): string {
  const lines = stderr.split('\n').filter((line) => line.trim());
  const line = lines.find((text) => /^(error|fatal): /.test(text)) ?? lines[0] ?? '';
  return line
    .replace(/^(error|fatal): /, '')
    .slice(0, 300)
    .replace(/[.\s]+$/, '');
}
