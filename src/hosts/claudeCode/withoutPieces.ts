import { LineSplitter } from '../../git/lineSplitter.ts';

/** What `--include-partial-messages` adds to Claude Code's stream: pieces of messages, and when a request is sent. */
const PIECE = /^\{"type":"(?:stream_event"|system","subtype":"status","status":"requesting")/;

export const isPiece = (line: string): boolean => PIECE.test(line);

/** Passes a stream on without the pieces that only we asked for: a script reads what it would have read. */
export class WithoutPieces {
  readonly #write: (text: string) => void;
  readonly #lines: LineSplitter;
  #ended = false;

  constructor(write: (text: string) => void) {
    this.#write = write;
    this.#lines = new LineSplitter((line) => this.#pass(line));
  }

  push(chunk: string): void {
    this.#lines.push(chunk);
  }

  /** Passes on a last line that nothing ended, as it is. */
  end(): void {
    this.#ended = true;
    this.#lines.end();
  }

  #pass(line: string): void {
    if (!isPiece(line)) this.#write(this.#ended ? line : `${line}\n`);
  }
}
