import type { Readable } from 'node:stream';

/** More than a pipe can hold: what comes beyond it after an exit was written by somebody else. */
const DRAIN_LIMIT = 1024 * 1024;

/** One pipe from a child, read as it comes. */
export class DrainedPipe {
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
 * Takes what already is in the pipes of a process that is gone. It does not wait for their end: a grandchild may hold
 * them open for hours. One full poll of the event loop without a byte means that they are empty.
 */
export async function drain(pipes: readonly DrainedPipe[]): Promise<void> {
  const received = () => pipes.reduce((sum, pipe) => sum + pipe.received, 0);
  const atExit = received();
  for (;;) {
    const before = received();
    await fullPoll();
    if (pipes.every((pipe) => pipe.atEnd)) return;
    if (received() === before || received() - atExit > DRAIN_LIMIT) return;
  }
}

/** The first immediate ends the loop's current round, the second one ends a round that polled all descriptors. */
async function fullPoll(): Promise<void> {
  await new Promise((resolve) => setImmediate(resolve));
  await new Promise((resolve) => setImmediate(resolve));
}
