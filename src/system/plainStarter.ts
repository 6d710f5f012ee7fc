import type { ChildProcess } from 'node:child_process';
import type { Readable } from 'node:stream';
import type { ChildListener, ChildSpec, ChildStarter, StartedChild } from './childStarter.ts';

/** Children of this process. Simple, but slow once it is large: a fork copies its page tables. */
export const plainStarter: ChildStarter = {
  start(spec, listener) {
    const child = startChild(spec);
    if (child instanceof Error) {
      listener.ended({ type: 'notStarted', error: child });
      return { release: async () => {}, doubt: () => {} };
    }
    return follow(child, spec, listener);
  },
};

function startChild(spec: ChildSpec): ChildProcess | NodeJS.ErrnoException {
  try {
    return process.getBuiltinModule('node:child_process').spawn(spec.file, [...spec.args], {
      cwd: spec.cwd,
      env: { ...spec.env },
      detached: true,
      stdio: [spec.input === undefined ? 'ignore' : 'pipe', 'pipe', 'pipe'],
    });
  } catch (error) {
    // some failures (an argument that is too long) are thrown, others are events
    return error instanceof Error ? error : new Error(String(error));
  }
}

function follow(child: ChildProcess, { input }: ChildSpec, listener: ChildListener): StartedChild {
  if (child.pid !== undefined) listener.started(child.pid);
  const streams = ['stdout', 'stderr'] as const;
  const pipes = streams.flatMap((name) => {
    const pipe = child[name];
    return pipe ? [new DrainedPipe(pipe, (chunk) => listener.output(name, chunk))] : [];
  });
  child.once('error', (error) => listener.ended({ type: 'notStarted', error }));
  child.once('exit', (code, signal) => listener.ended({ type: 'gone', code, signal, mayHaveLeftOthers: true }));
  // the child may close its stdin without reading it
  child.stdin?.on('error', () => {});
  if (typeof input !== 'object') child.stdin?.end(input);
  else if (child.stdin) input.on('error', () => child.stdin?.end()).pipe(child.stdin);
  return {
    async release() {
      await drain(pipes);
      for (const pipe of pipes) pipe.close();
      child.stdin?.destroy();
      if (typeof input === 'object') input.destroy();
    },
    // this process itself watches the child
    doubt: () => {},
  };
}

/** More than a pipe can hold: further output after an exit comes from another process. */
const DRAIN_LIMIT = 1024 * 1024;

class DrainedPipe {
  received = 0;
  atEnd = false;
  readonly #pipe: Readable;

  constructor(pipe: Readable, onChunk: (chunk: Buffer) => void) {
    this.#pipe = pipe;
    pipe.on('data', (chunk: Buffer) => {
      this.received += chunk.length;
      onChunk(chunk);
    });
    pipe.on('end', () => {
      this.atEnd = true;
    });
    // a reset pipe ends like a closed one
    pipe.on('error', () => {});
  }

  close(): void {
    this.#pipe.destroy();
  }
}

/**
 * Reads what is left in the pipes of a process that has ended. It does not wait for their end, because a grandchild may
 * hold them open. One full poll of the event loop without a byte means that they are empty.
 */
async function drain(pipes: readonly DrainedPipe[]): Promise<void> {
  const received = () => pipes.reduce((sum, pipe) => sum + pipe.received, 0);
  const atExit = received();
  for (;;) {
    const before = received();
    await fullPoll();
    if (pipes.every((pipe) => pipe.atEnd)) return;
    if (received() === before || received() - atExit > DRAIN_LIMIT) return;
  }
}

/** The first immediate ends the current round of the loop, the second one ends a round that polled all descriptors. */
async function fullPoll(): Promise<void> {
  await new Promise((resolve) => setImmediate(resolve));
  await new Promise((resolve) => setImmediate(resolve));
}
