import { ownEscape } from '../../../../system/terminalText.ts';
import type { Writer } from '../../../../system/writer.ts';

/** A page that is drawn again in its place. */
export interface LiveScreen extends Disposable {
  show(page: string): void;
  /** How many lines it has; endless where pages follow each other. */
  height(): number;
}

const ENTER = `${ownEscape('?1049', 'h')}${ownEscape('?25', 'l')}`;
const LEAVE = `${ownEscape('?25', 'h')}${ownEscape('?1049', 'l')}`;
const HOME = ownEscape('', 'H');
const REST_OF_LINE = ownEscape('', 'K');
const REST_OF_SCREEN = ownEscape('', 'J');

/**
 * The terminal's second screen, so that what was there before comes back. Lines are drawn over and only their rest is
 * cleared: a screen that is cleared first flickers.
 */
export function liveScreen(writer: Pick<Writer, 'out' | 'outIsTerminal'>, isLive: boolean): LiveScreen {
  if (!isLive || !writer.outIsTerminal) {
    return {
      show: (page) => writer.out(`${page}\n`),
      height: () => Number.POSITIVE_INFINITY,
      [Symbol.dispose]: () => {},
    };
  }
  writer.out(ENTER);
  return {
    show: (page) => {
      const lines = page.split('\n').map((line) => `${line}${REST_OF_LINE}`);
      writer.out(`${HOME}${lines.join('\r\n')}${REST_OF_SCREEN}`);
    },
    height: () => process.stdout.rows ?? 24,
    [Symbol.dispose]: () => writer.out(LEAVE),
  };
}
