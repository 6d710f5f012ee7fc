import { Markdown } from '@earendil-works/pi-tui';
import { terminalText } from '../../../../system/terminalText.ts';
import type { Paint } from '../../../output/colors.ts';
import { finishedPart } from '../../../output/screen/markdownStream.ts';
import { markdownTheme } from '../../../output/screen/theme.ts';

/** An answer as it arrives: what is finished is printed for good, the rest is alive. */
export class AnswerStream {
  readonly #paint: Paint;
  #text = '';

  constructor(paint: Paint) {
    this.#paint = paint;
  }

  /** The lines that are finished now. */
  add(text: string, width: number): readonly string[] {
    this.#text += text;
    const end = finishedPart(this.#text);
    if (end === 0) return [];
    const finished = this.#text.slice(0, end);
    this.#text = this.#text.slice(end);
    return this.#printed(finished, width);
  }

  /** The rest of it. */
  end(width: number): readonly string[] {
    const rest = this.#text;
    this.#text = '';
    return this.#printed(rest, width);
  }

  get isEmpty(): boolean {
    return this.#text.trim() === '';
  }

  live(width: number): readonly string[] {
    return this.isEmpty ? [] : this.#lines(this.#text, width);
  }

  #printed(text: string, width: number): readonly string[] {
    return text.trim() === '' ? [] : [...this.#lines(text, width), ''];
  }

  #lines(text: string, width: number): string[] {
    const lines = new Markdown(terminalText(text.trim()), 0, 0, markdownTheme(this.#paint)).render(width);
    return lines.map((line) => line.trimEnd());
  }
}
