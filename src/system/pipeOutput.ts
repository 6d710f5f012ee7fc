import type { Readable } from 'node:stream';
import { StringDecoder } from 'node:string_decoder';
import { BoundedBytes } from './boundedBytes.ts';

/** More than a pipe can hold: what comes beyond it after an exit was written by somebody else. */
const DRAIN_LIMIT = 1024 * 1024;

/** Collects what comes out of one pipe. */
export class PipeOutput {
  received = 0;
  atEnd = false;
  readonly #pipe: Readable;
  readonly #kept: BoundedBytes;

  constructor(pipe: Readable, maxBytes: number, onText?: (text: string) => void) {
    this.#pipe = pipe;
    this.#kept = new BoundedBytes(maxBytes);
    const decoder = new StringDecoder('utf8');
    pipe.on('data', (chunk: Buffer) => {
      this.received += chunk.length;
      this.#kept.push(chunk);
      const text = onText ? decoder.write(chunk) : '';
      if (text) onText?.(text);
    });
    pipe.on('end', () => {
      this.atEnd = true;
    });
    // a reset pipe ends like a closed one
    pipe.on('error', () => {});
  }

  read(): { readonly text: string; readonly droppedBytes: number } {
    return this.#kept.read();
  }

  close(): void {
    this.#pipe.destroy();
  }
}

/**
 * Takes what already is in the pipes of a process that is gone. It does not wait for their end: a grandchild may hold
 * them open for hours. One full poll of the event loop without a byte means that they are empty.
 */
export async function drain(outputs: readonly PipeOutput[]): Promise<void> {
  const received = () => outputs.reduce((sum, output) => sum + output.received, 0);
  const atExit = received();
  for (;;) {
    const before = received();
    await fullPoll();
    if (outputs.every((output) => output.atEnd)) return;
    if (received() === before || received() - atExit > DRAIN_LIMIT) return;
  }
}

/** The first immediate ends the loop's current round, the second one ends a round that polled all descriptors. */
async function fullPoll(): Promise<void> {
  await new Promise((resolve) => setImmediate(resolve));
  await new Promise((resolve) => setImmediate(resolve));
}
