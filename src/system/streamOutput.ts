import { StringDecoder } from 'node:string_decoder';
import { BoundedBytes } from './boundedBytes.ts';

/** Collects one stream of a process: all of it is told, a bounded part is kept. */
export class StreamOutput {
  readonly #kept: BoundedBytes;
  /** Made when something comes: most streams of most commands stay empty. */
  #decoder: StringDecoder | undefined;
  readonly #onText: ((text: string) => void) | undefined;

  constructor(maxBytes: number, onText?: (text: string) => void) {
    this.#kept = new BoundedBytes(maxBytes);
    this.#onText = onText;
  }

  push(chunk: Buffer): void {
    this.#kept.push(chunk);
    if (!this.#onText) return;
    this.#decoder ??= new StringDecoder('utf8');
    const text = this.#decoder.write(chunk);
    if (text) this.#onText(text);
  }

  read(): { readonly text: string; readonly droppedBytes: number } {
    return this.#kept.read();
  }
}
