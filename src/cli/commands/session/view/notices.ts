import { truncateToWidth, visibleWidth } from '@earendil-works/pi-tui';
import { terminalText } from '../../../../system/terminalText.ts';
import type { Paint } from '../../../output/colors.ts';

const MOST = 3;

/** Short sentences above the input, at the right, until the next prompt. */
export class Notices {
  readonly #paint: Paint;
  #texts: readonly string[] = [];

  constructor(paint: Paint) {
    this.#paint = paint;
  }

  add(text: string): void {
    this.#texts = [...this.#texts.filter((one) => one !== text), text].slice(-MOST);
  }

  clear(): void {
    this.#texts = [];
  }

  lines(width: number): readonly string[] {
    return this.#texts.map((text) => {
      const line = truncateToWidth(terminalText(this.#paint('yellow', text)), width);
      return `${' '.repeat(Math.max(0, width - visibleWidth(line)))}${line}`;
    });
  }
}
