import type { Readable } from 'node:stream';

/**
 * A command; how it is started (a plain spawn, a helper process) is hidden behind `ProcessRunner`. Every command gets its
 * own process group and is ended by group: by SIGTERM, then SIGKILL.
 */
export interface ProcessSpec {
  /** An executable and its arguments; never a shell string. */
  readonly file: string;
  readonly args: readonly string[];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  /**
   * Written to stdin, which is then closed; the child need not read it. A stream is passed on as the child reads, and
   * destroyed when the child has ended.
   */
  readonly input?: string | Readable;
  readonly timeoutMs?: number;
  /** Bytes kept of each stream; the rest is dropped, and counted. */
  readonly maxOutputBytes: number;
  readonly signal?: AbortSignal;
  /** Called with each chunk, without a limit. */
  readonly onOutput?: (stream: 'stdout' | 'stderr', chunk: string) => void;
  /** The time between SIGTERM and SIGKILL; default: 2 s. */
  readonly graceMs?: number;
}

interface ProcessOutput {
  readonly stdout: string;
  readonly stderr: string;
  readonly droppedBytes: number;
  readonly durationMs: number;
}

/** How a process ended. A death by signal is not an exit code, and a timeout is not a death. */
export type ProcessEnd =
  | ({ readonly type: 'exited'; readonly code: number } & ProcessOutput)
  | ({ readonly type: 'signalled'; readonly signal: string } & ProcessOutput)
  | ({ readonly type: 'timedOut' } & ProcessOutput)
  | ({ readonly type: 'aborted' } & ProcessOutput)
  /** `code` is the system's (`ENOENT`), if the system refused. */
  | { readonly type: 'notStarted'; readonly error: string; readonly code?: string | undefined };

export interface RunningProcess {
  /** Also the group's number; undefined until the process is started. */
  readonly pid: number | undefined;
  /** Resolves when the process itself has ended, even if a grandchild holds its pipe. */
  readonly ended: Promise<ProcessEnd>;
}

export interface ProcessRunner {
  start(spec: ProcessSpec): RunningProcess;
  /** Ends every living group, for an exit that must leave nothing behind. */
  endAll(): Promise<void>;
  /** Kills every group immediately, for an exit that cannot wait. */
  killAll(): void;
}
