import { CLEAR_LINE } from '../../../system/terminalText.ts';
import type { Writer } from '../../../system/writer.ts';

const WIDTH = 30;
/** What is done sooner needs no bar. */
const QUIET_MS = 400;

export interface ProgressBar {
  show(share: number): void;
  clear(): void;
}

/** On a terminal, and only for what takes long; gone when the result is printed. */
export function progressBar(writer: Pick<Writer, 'err' | 'errIsTerminal'>, now: () => number): ProgressBar {
  const startedAt = now();
  let isShown = false;
  return {
    show: (share) => {
      if (!writer.errIsTerminal || now() - startedAt < QUIET_MS) return;
      isShown = true;
      const full = Math.round(share * WIDTH);
      const percent = `${Math.floor(share * 100)}%`.padStart(4);
      writer.err(`${CLEAR_LINE}${'█'.repeat(full)}${'░'.repeat(WIDTH - full)}${percent}`);
    },
    clear: () => {
      if (isShown) writer.err(CLEAR_LINE);
    },
  };
}
