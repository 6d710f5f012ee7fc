import type { ProcessSpec } from './processes.ts';

export type ChildSpec = Pick<ProcessSpec, 'file' | 'args' | 'cwd' | 'env' | 'input'>;

/** How a child ended, or why it was not started. */
export type ChildExit =
  | {
      readonly type: 'gone';
      readonly code: number | null;
      readonly signal: string | null;
      /** Whether its group may still have members, so that the slow check is needed. */
      readonly mayHaveLeftOthers: boolean;
    }
  | { readonly type: 'notStarted'; readonly error: NodeJS.ErrnoException };

/** May be called before `start` returns. */
export interface ChildListener {
  /** The pid is also the number of its group. */
  started(pid: number): void;
  output(stream: 'stdout' | 'stderr', chunk: Buffer): void;
  /** Called once, when the process itself has ended; other processes may still hold its pipes. */
  ended(exit: ChildExit): void;
}

export interface StartedChild {
  /** After its end: resolves when all its output was emitted, and closes its pipes. */
  release(): Promise<void>;
  /** It was killed, but its end was not reported: checks that its watcher is alive. */
  doubt(): void;
}

/** A way to start a process in its own group. */
export interface ChildStarter {
  start(spec: ChildSpec, listener: ChildListener): StartedChild;
}
