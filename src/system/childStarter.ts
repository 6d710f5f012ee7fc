import type { ProcessSpec } from './processes.ts';

export type ChildSpec = Pick<ProcessSpec, 'file' | 'args' | 'cwd' | 'env' | 'input'>;

/** How a child ended, or why there never was one. */
export type ChildExit =
  | {
      readonly type: 'gone';
      readonly code: number | null;
      readonly signal: string | null;
      /** Whether there may still be others in its group; asking the system again is dear, and the answer mostly no. */
      readonly mayHaveLeftOthers: boolean;
    }
  | { readonly type: 'notStarted'; readonly error: NodeJS.ErrnoException };

/** Who is told of a child, while it is being started (before `start` returns) or later. */
export interface ChildListener {
  /** It leads a group of its own of that number. */
  started(pid: number): void;
  output(stream: 'stdout' | 'stderr', chunk: Buffer): void;
  /** Called once: the process itself is gone, whoever still holds its pipes. */
  ended(exit: ChildExit): void;
}

export interface StartedChild {
  /** After its end: resolves when all that it wrote was told, and lets go of its pipes. */
  letGo(): Promise<void>;
  /** It was killed and its end was not told: whoever watches it shall prove to be alive. */
  doubt(): void;
}

/** A way to start a process in a group of its own. What is done with it afterwards is not a starter's business. */
export interface ChildStarter {
  start(spec: ChildSpec, listener: ChildListener): StartedChild;
}
