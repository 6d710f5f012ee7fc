import { ownPath } from '../system/ownPath.ts';
import type { ProcessEnd, ProcessRunner } from '../system/processes.ts';
import { environmentFor } from '../system/secretPolicy.ts';
import { findPipe } from './findPipe.ts';
import { type ForeignPrograms, foreignPrograms, isPlainFileIn, readConfigList } from './foreignPrograms.ts';
import { type GitEnvironment, gitEnvironment, HARDENED } from './hardening.ts';
import { LineSplitter } from './lineSplitter.ts';
import { whyGitFailed } from './whyGitFailed.ts';

export interface GitCommand extends GitEnvironment {
  readonly folder: string;
  readonly args: readonly string[];
  readonly input?: string;
  readonly timeoutMs?: number;
  /** Exit codes beside 0 that are an answer and no failure. */
  readonly okCodes?: readonly number[];
  /** Takes stdout line by line as it comes, for lists without a bound; `stdout` is then empty. */
  readonly onLine?: (line: string) => void;
}

/** How a git command ended; `failed` says why in one sentence, and carries what git itself said. */
export type GitEnd =
  | { readonly type: 'done'; readonly stdout: string; readonly stderr: string }
  | {
      readonly type: 'failed';
      readonly reason: string;
      readonly stderr: string;
      /** A file got shorter while git had it mapped, which ends git at once and without a word (SIGBUS). */
      readonly wasCutShort: boolean;
      /** Absent when it did not exit by itself. */
      readonly exitCode?: number;
    };

export type GitFailure = Extract<GitEnd, { type: 'failed' }>;

/** What a repository's own configuration names that could run; see `foreignPrograms.ts`. */
type FoundPrograms = ({ readonly type: 'programs' } & ForeignPrograms) | GitFailure;

/** Git, as commands that end: no shell, no prompt, no hooks, no programs of the repository, bounded in time and output. */
export interface Git {
  run(command: GitCommand): Promise<GitEnd>;
  /** What `run` keeps from running in a folder; nothing where its programs may run. */
  programsOff(folder: string): Promise<FoundPrograms>;
}

export interface GitOptions {
  readonly processes: ProcessRunner;
  readonly env: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal;
  /** For each command; a minute by default. */
  readonly timeoutMs?: number;
  /**
   * Whether programs that the repository's own configuration names (filters, drivers) may run: only where the user trusts
   * the folder. Those of the user's own configuration always may.
   */
  readonly repositoryPrograms?: 'run' | 'off' | (() => Promise<'run' | 'off'>);
}

const MAX_OUTPUT_BYTES = 4_000_000;
const MAX_STDERR_WITH_LINES = 64_000;
const DEFAULT_TIMEOUT_MS = 60_000;
/** For what only reads a few small files: longer means that one of them is a pipe. */
const SHORT_TIMEOUT_MS = 10_000;

/**
 * Commands that neither look at the files of a worktree nor write, and so run no driver and no hook whatever the
 * configuration names. All others cost one look at the configuration first.
 */
const INERT = new Set(
  [
    'cat-file',
    'commit-tree',
    'config',
    'diff-tree',
    'for-each-ref',
    'ls-files',
    'ls-tree',
    'mktree',
    'rev-list',
  ].concat(['rev-parse', 'symbolic-ref', 'var']),
);

const NO_PROGRAMS: FoundPrograms = { type: 'programs', settings: {}, keys: [] };

export function openGit(options: GitOptions): Git {
  const { repositoryPrograms: programs } = options;
  const mayRun = async () => (typeof programs === 'function' ? await programs() : programs) === 'run';
  const programsOff = async (folder: string): Promise<FoundPrograms> =>
    (await mayRun()) ? NO_PROGRAMS : findPrograms(options, folder);
  return {
    programsOff,
    async run(command) {
      const isInert = command.apart !== undefined || INERT.has(command.args[0] ?? '');
      const pipe = findPipe(command.folder);
      if (pipe !== undefined) return failed(`${pipe} is not a regular file, and git would wait for it; remove it.`);
      const off = isInert ? NO_PROGRAMS : await programsOff(command.folder);
      if (off.type === 'failed') return off;
      return await start(options, { ...command, settings: { ...off.settings, ...command.settings } });
    },
  };
}

/** Settings given with the command would be listed as the user's own. */
const UNCHANGED = ['--no-pager', '-c', 'safe.bareRepository=explicit'];

/** Reading the configuration runs nothing; a file that it includes may be a pipe, which the time bounds. */
async function findPrograms(options: GitOptions, folder: string): Promise<FoundPrograms> {
  const args = ['config', '--list', '--null', '--show-scope', '--includes'];
  const listed = await start(options, { folder, args }, UNCHANGED);
  if (listed.type === 'failed') return listed;
  const found = foreignPrograms(readConfigList(listed.stdout), isPlainFileIn(folder, options.env.HOME));
  if (found) return { type: 'programs', ...found };
  return failed(`The git configuration in ${folder} names too many programs to keep them all from running.`);
}

async function start(
  { processes, env, signal, timeoutMs }: GitOptions,
  command: GitCommand,
  before: readonly string[] = HARDENED,
): Promise<GitEnd> {
  const lines = command.onLine && new LineSplitter(command.onLine);
  const usualMs = INERT.has(command.args[0] ?? '') ? SHORT_TIMEOUT_MS : DEFAULT_TIMEOUT_MS;
  const end = await processes.start({
    file: 'git',
    args: [...before, ...command.args],
    cwd: command.folder,
    env: gitEnvironment({ ...environmentFor('helper', env), PATH: ownPath(env.PATH, command.folder) }, command),
    timeoutMs: command.timeoutMs ?? timeoutMs ?? usualMs,
    maxOutputBytes: lines ? MAX_STDERR_WITH_LINES : MAX_OUTPUT_BYTES,
    ...(command.input === undefined ? {} : { input: command.input }),
    ...(signal && { signal }),
    ...(lines && { onOutput: (stream, text) => stream === 'stdout' && lines.push(text) }),
  }).ended;
  lines?.end();
  return readEnd(end, command);
}

function readEnd(end: ProcessEnd, { args, folder, onLine, okCodes = [] }: GitCommand): GitEnd {
  if (end.type === 'notStarted') return failed(notStarted(end.error));
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

function notStarted(error: string): string {
  return /no such executable/.test(error) ? 'Git is not installed, or not on PATH.' : error;
}
