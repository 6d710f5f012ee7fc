import { Markdown } from '@earendil-works/pi-tui';
import { terminalText } from '../../../../system/terminalText.ts';
import type { Paint } from '../../../output/colors.ts';
import { type MarkdownPiece, MarkdownStream } from '../../../output/screen/markdownStream.ts';
import { markdownTheme } from '../../../output/screen/theme.ts';

/** An answer as it arrives: what is finished is printed for good, the rest is alive. */
export class AnswerStream {
  readonly #theme;
  readonly #stream = new MarkdownStream();
  /** What is alive, as it was last rendered: a key must not cost a look at it. */
  #rendered: { readonly width: number; readonly lines: readonly string[] } | undefined;

  constructor(paint: Paint) {
    this.#theme = markdownTheme(paint);
  }

  /** The lines that are finished now. */
  add(text: string, width: number): readonly string[] {
    this.#rendered = undefined;
    return this.#stream.add(text).flatMap((piece) => this.#printed(piece, width));
  }

  /** The rest of it. */
  end(width: number): readonly string[] {
    this.#rendered = undefined;
    return this.#printed(this.#stream.end(), width);
  }

  get isEmpty(): boolean {
    return this.#stream.isEmpty;
  }

  live(width: number): readonly string[] {
    if (this.isEmpty) return [];
    if (this.#rendered?.width !== width) this.#rendered = { width, lines: this.#lines(this.#stream.live, width) };
    return this.#rendered.lines;
  }

  #printed(piece: MarkdownPiece, width: number): readonly string[] {
    const lines = this.#lines(piece, width);
    return lines.length === 0 || piece.goesOn ? lines : [...lines, ''];
  }

  #lines({ text, continues, goesOn }: MarkdownPiece, width: number): string[] {
    if (text.trim() === '') return [];
    const lines = new Markdown(terminalText(text.trim()), 0, 0, this.#theme).render(width);
    return lines.slice(continues ? 1 : 0, goesOn ? -1 : lines.length).map((line) => line.trimEnd());
  }
}
