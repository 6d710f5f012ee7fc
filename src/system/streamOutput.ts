import { StringDecoder } from 'node:string_decoder';
import { BoundedBytes } from './boundedBytes.ts';

/** Collects one stream of a process: all of it is told, a bounded part is kept. */
export class StreamOutput {
  readonly #kept: BoundedBytes;
  readonly #decoder = new StringDecoder('utf8');
  readonly #onText: ((text: string) => void) | undefined;

  constructor(maxBytes: number, onText?: (text: string) => void) {
    this.#kept = new BoundedBytes(maxBytes);
    this.#onText = onText;
  }

  push(chunk: Buffer): void {
    this.#kept.push(chunk);
    const text = this.#onText ? this.#decoder.write(chunk) : '';
    if (text) this.#onText?.(text);
  }

  read(): { readonly text: string; readonly droppedBytes: number } {
    return this.#kept.read();
  }
}
