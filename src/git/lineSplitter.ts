/** Splits text that arrives in pieces into lines. */
export class LineSplitter {
  readonly #onLine: (line: string) => void;
  #rest = '';

  constructor(onLine: (line: string) => void) {
    this.#onLine = onLine;
  }

  push(text: string): void {
    const lines = (this.#rest + text).split('\n');
    this.#rest = lines.pop() ?? '';
    for (const line of lines) this.#onLine(line);
  }

  /** Emits a last line that has no newline. */
  end(): void {
    if (this.#rest) this.#onLine(this.#rest);
    this.#rest = '';
  }
}
