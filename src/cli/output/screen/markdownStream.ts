/** A part of a growing Markdown text that can be rendered by itself. */
export interface MarkdownPiece {
  /** Whole Markdown: a code block that goes on before or after the piece has its fence repeated here. */
  readonly text: string;
  /** The first line is such a repeated fence, and is on the screen already. */
  readonly continues: boolean;
  /** The last line is such a fence: the block is not over. */
  readonly goesOn: boolean;
}

interface Fence {
  /** The line that opened it. */
  readonly head: string;
  readonly mark: string;
}

const OPENING = /^ {0,3}(?:(`{3,})[^`]*|(~{3,}).*)$/;
const CLOSING = /^ {0,3}(`{3,}|~{3,})[ \t\r]*$/;

/** What is alive is rendered again at each frame, so it must stay small: a code block can be cut at any line. */
const LONGEST_CODE = 2_000;
/** Cutting other text loses what spans the cut, such as a table, so it may be longer. */
const LONGEST_TEXT = 12_000;

/**
 * Splits Markdown as it arrives: an empty line outside of a code block finishes what is before it, and a part that grows too
 * long is cut at a line. The work per character does not grow with the text.
 */
export class MarkdownStream {
  #rest = '';
  /** Where the first incomplete line of the rest begins. */
  #scanned = 0;
  /** The code block that the rest begins in. */
  #inside: Fence | undefined;
  /** The code block at `#scanned`. */
  #fence: Fence | undefined;

  get isEmpty(): boolean {
    return this.#rest.trim() === '';
  }

  /** The pieces that are finished now. */
  add(text: string): readonly MarkdownPiece[] {
    this.#rest += text;
    const finished = this.#finishedEnd();
    const pieces = finished > 0 ? [this.#take(finished, undefined)] : [];
    for (let end = this.#longEnd(); end > 0; end = this.#longEnd()) pieces.push(this.#take(end, this.#fence));
    return pieces;
  }

  /** What is not finished yet. */
  get live(): MarkdownPiece {
    return this.#piece(this.#rest, undefined);
  }

  /** The rest of it. */
  end(): MarkdownPiece {
    const { live } = this;
    this.#rest = '';
    this.#scanned = 0;
    this.#inside = undefined;
    this.#fence = undefined;
    return live;
  }

  /** Looks at the lines that are complete now; returns where the last finished part ends. */
  #finishedEnd(): number {
    let finished = 0;
    for (let end = this.#rest.indexOf('\n', this.#scanned); end !== -1; end = this.#rest.indexOf('\n', this.#scanned)) {
      const line = this.#rest.slice(this.#scanned, end);
      this.#scanned = end + 1;
      this.#fence = fenceAfter(line, this.#fence);
      // a list may continue after an empty line; breaking it there only costs a bit of spacing
      if (this.#fence === undefined && line.trim() === '') finished = this.#scanned;
    }
    return finished;
  }

  #longEnd(): number {
    const length = this.#rest.length;
    if (length <= (this.#fence === undefined ? LONGEST_TEXT : LONGEST_CODE)) return 0;
    if (this.#scanned > 0) return this.#scanned;
    // one endless line
    return length > LONGEST_TEXT ? Math.max(this.#rest.lastIndexOf(' ') + 1, Math.floor(LONGEST_TEXT / 2)) : 0;
  }

  /** `next`: the code block that goes on after it. */
  #take(end: number, next: Fence | undefined): MarkdownPiece {
    const taken = this.#piece(this.#rest.slice(0, end), next);
    this.#rest = this.#rest.slice(end);
    this.#scanned = Math.max(0, this.#scanned - end);
    this.#inside = next;
    return taken;
  }

  #piece(text: string, next: Fence | undefined): MarkdownPiece {
    const before = this.#inside === undefined ? '' : `${this.#inside.head}\n`;
    const after = next === undefined ? '' : `${text.endsWith('\n') ? '' : '\n'}${next.mark}`;
    return { text: `${before}${text}${after}`, continues: this.#inside !== undefined, goesOn: next !== undefined };
  }
}

function fenceAfter(line: string, fence: Fence | undefined): Fence | undefined {
  if (fence === undefined) {
    const opening = OPENING.exec(line);
    const mark = opening?.[1] ?? opening?.[2];
    return mark === undefined ? undefined : { head: line, mark };
  }
  return CLOSING.exec(line)?.[1]?.startsWith(fence.mark) ? undefined : fence;
}
