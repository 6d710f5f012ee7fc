/** Splits text that arrives in pieces into lines. A file of one endless line costs little time and memory: the rest of it is dropped. */
export class LineSplitter {
  readonly #onLine: (line: string) => void;
  #pieces: string[] = [];
  #size = 0;

  constructor(onLine: (line: string) => void) {
    this.#onLine = onLine;
  }

  push(text: string): void {
    let from = 0;
    for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', from)) {
      this.#keep(text.slice(from, at));
      this.#emit();
      from = at + 1;
    }
    this.#keep(text.slice(from));
  }

  /** Emits a last line that has no newline. */
  end(): void {
    if (this.#size > 0) this.#emit();
  }

  #keep(piece: string): void {
    const kept = piece.slice(0, LONGEST_LINE - this.#size);
    if (kept === '') return;
    this.#pieces.push(kept);
    this.#size += kept.length;
  }

  #emit(): void {
    const line = this.#pieces.join('');
    this.#pieces = [];
    this.#size = 0;
    this.#onLine(line);
  }
}

/** More than any line that is read for what it means. */
const LONGEST_LINE = 16 * 1024 * 1024;
