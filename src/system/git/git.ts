import type { ProcessEnd, ProcessRunner } from '../processes.ts';
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
    };

/** Git, as commands that end: no shell, no prompt, no hooks, bounded in time and output. */
export interface Git {
  run(command: GitCommand): Promise<GitEnd>;
}

export interface GitOptions {
  readonly processes: ProcessRunner;
  readonly env: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal;
  /** For each command; a minute unless told. */
  readonly timeoutMs?: number;
}

const MAX_OUTPUT_BYTES = 4_000_000;
const MAX_STDERR_WITH_LINES = 64_000;
const DEFAULT_TIMEOUT_MS = 60_000;

export function openGit({ processes, env, signal, timeoutMs = DEFAULT_TIMEOUT_MS }: GitOptions): Git {
  return {
    async run(command) {
      const lines = command.onLine && new LineSplitter(command.onLine);
      const end = await processes.start({
        file: 'git',
        args: [...HARDENED, ...command.args],
        cwd: command.folder,
        env: gitEnvironment(env, command),
        timeoutMs: command.timeoutMs ?? timeoutMs,
        maxOutputBytes: lines ? MAX_STDERR_WITH_LINES : MAX_OUTPUT_BYTES,
        ...(command.input === undefined ? {} : { input: command.input }),
        ...(signal && { signal }),
        ...(lines && { onOutput: (stream, text) => stream === 'stdout' && lines.push(text) }),
      }).ended;
      lines?.end();
      return readEnd(end, command);
    },
  };
}

function readEnd(end: ProcessEnd, { args, folder, onLine, okCodes = [] }: GitCommand): GitEnd {
  if (end.type === 'notStarted') return failed(notStarted(end.error));
  const { stderr } = end;
  const what = `git ${args[0]} in ${folder}`;
  if (end.type === 'timedOut') return failed(`${what} did not end in time and was stopped.`, stderr);
  if (end.type === 'aborted') return failed(`${what} was interrupted.`, stderr);
  if (end.type === 'signalled')
    return { ...failed(`${what} was ended by ${end.signal}.`, stderr), wasCutShort: end.signal === 'SIGBUS' };
  if (end.code !== 0 && !okCodes.includes(end.code))
    return failed(whyGitFailed({ what, folder, code: end.code, stderr }), stderr);
  if (onLine) return { type: 'done', stdout: '', stderr };
  if (end.droppedBytes > 0) return failed(`${what} printed more than ${MAX_OUTPUT_BYTES} bytes.`, stderr);
  return { type: 'done', stdout: end.stdout, stderr };
}

const failed = (reason: string, stderr = '') => ({ type: 'failed', reason, stderr, wasCutShort: false }) as const;

function notStarted(error: string): string {
  return /no such executable/.test(error) ? 'Git is not installed, or not on PATH.' : error;
}
