import type { Readable } from 'node:stream';

/**
 * Commands, behind one small interface, so that how they are started (a plain spawn, a helper process) is nobody
 * else's business. Every command gets its own process group and is ended by group: politely, then not.
 */
export interface ProcessSpec {
  /** An executable and its arguments; never a shell string. */
  readonly file: string;
  readonly args: readonly string[];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  /**
   * Written to stdin, which is then closed; a child that does not read it is not an error. A stream is passed on as the
   * child takes it, and destroyed when the child is gone.
   */
  readonly input?: string | Readable;
  readonly timeoutMs?: number;
  /** Bytes kept of each stream; more is read and dropped, and counted. */
  readonly maxOutputBytes: number;
  readonly signal?: AbortSignal;
  /** Called with each chunk as it comes, before the bound. */
  readonly onOutput?: (stream: 'stdout' | 'stderr', chunk: string) => void;
  /** How long a polite SIGTERM may take before SIGKILL; 2 s unless told. */
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
  /** `code` as the system has it (`ENOENT`), where it was the system that refused. */
  | { readonly type: 'notStarted'; readonly error: string; readonly code?: string | undefined };

export interface RunningProcess {
  /** Its own, and its group's; not there yet while it is being started, and never if it was not. */
  readonly pid: number | undefined;
  /** Resolves when the process itself is gone, not when a grandchild lets go of the pipe. */
  readonly ended: Promise<ProcessEnd>;
}

export interface ProcessRunner {
  start(spec: ProcessSpec): RunningProcess;
  /** Ends every group still alive, for an exit that must leave nothing behind. */
  endAll(): Promise<void>;
  /** Kills every group at once, politeness left out: for an exit that cannot wait. */
  killAll(): void;
}
