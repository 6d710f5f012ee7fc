import { wrapTextWithAnsi } from '@earendil-works/pi-tui';
import { terminalText } from '../../../../system/terminalText.ts';

export interface PanelSize {
  readonly width: number;
  readonly height: number;
}

/** What takes the place of the input for a while: a question, a list, a text to read. */
export interface Panel {
  /** Safe for a terminal, and no wider than it. */
  lines(size: PanelSize): readonly string[];
  /** Returns whether the panel used the key. */
  key(data: string): boolean;
  /** On a screen of its own; what was there comes back when it closes. */
  readonly isFull?: boolean;
  /** The agent waits for the answer. */
  readonly isQuestion?: boolean;
  /** Nothing is asked: where there are no keys, printing it is enough. */
  readonly isText?: boolean;
}

/** Makes lines safe, and breaks them at the width: what does not fit must not be hidden. */
export const wrapped = (lines: readonly string[], width: number): string[] =>
  lines.flatMap((line) => wrapTextWithAnsi(terminalText(line), Math.max(1, width)));
