import type { Writer } from '../../output/writer.ts';

/** A page that is drawn again in its place. */
export interface LiveScreen extends Disposable {
  show(page: string): void;
  /** How many lines it has; endless where pages follow each other. */
  height(): number;
}

const ENTER = '\x1b[?1049h\x1b[?25l';
const LEAVE = '\x1b[?25h\x1b[?1049l';
const HOME = '\x1b[H';
const REST_OF_LINE = '\x1b[K';
const REST_OF_SCREEN = '\x1b[J';

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
