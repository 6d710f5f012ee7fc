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
  let received = 0;
  const pipes = (['stdout', 'stderr'] as const).flatMap((name) => {
    const pipe = child[name];
    pipe?.on('data', (chunk: Buffer) => {
      received += chunk.length;
      listener.output(name, chunk);
    });
    // a reset pipe ends like a closed one
    pipe?.on('error', () => {});
    return pipe ?? [];
  });
  child.once('error', (error) => listener.ended({ type: 'notStarted', error }));
  child.once('exit', (code, signal) => listener.ended({ type: 'gone', code, signal, mayHaveLeftOthers: true }));
  // the child may close its stdin without reading it
  child.stdin?.on('error', () => {});
  if (typeof input !== 'object') child.stdin?.end(input);
  else if (child.stdin) input.on('error', () => child.stdin?.end()).pipe(child.stdin);
  return {
    async release() {
      await drain(pipes, () => received);
      for (const pipe of pipes) pipe.destroy();
      child.stdin?.destroy();
      if (typeof input === 'object') input.destroy();
    },
    // this process itself watches the child
    doubt: () => {},
  };
}

/** More than a pipe can hold: further output after an exit comes from another process. */
const DRAIN_LIMIT = 1024 * 1024;

/**
 * Reads what is left in the pipes of a process that has ended. It does not wait for their end, because a grandchild may
 * hold them open. One full poll of the event loop without a byte means that they are empty.
 */
async function drain(pipes: readonly Readable[], received: () => number): Promise<void> {
  const atExit = received();
  for (;;) {
    const before = received();
    await fullPoll();
    if (pipes.every((pipe) => pipe.readableEnded)) return;
    if (received() === before || received() - atExit > DRAIN_LIMIT) return;
  }
}

/** The first immediate ends the current round of the loop, the second one ends a round that polled all descriptors. */
async function fullPoll(): Promise<void> {
  await new Promise((resolve) => setImmediate(resolve));
  await new Promise((resolve) => setImmediate(resolve));
}
