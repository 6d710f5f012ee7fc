import { CLEAR_LINE } from '../../system/terminalText.ts';
import type { Writer } from '../../system/writer.ts';

/** A progress bar in the last line of a terminal; nothing elsewhere. */
export interface Progress {
  /** Without a total it shows the count; with a total of 1, a share. */
  show(label: string, done: number, total?: number): void;
  end(): void;
}

const REPAINT_MS = 100;
const BAR = 24;

export function progressOn(writer: Pick<Writer, 'err' | 'errIsTerminal' | 'columns'>, now: () => number): Progress {
  if (!writer.errIsTerminal) return { show: () => {}, end: () => {} };
  let paintedAt = 0;
  let last = '';
  return {
    show: (label, done, total) => {
      if (label === last && done !== total && now() - paintedAt < REPAINT_MS) return;
      paintedAt = now();
      last = label;
      writer.err(`${CLEAR_LINE}${progressLine(label, done, total).slice(0, writer.columns - 1)}`);
    },
    end: () => {
      if (paintedAt > 0) writer.err(CLEAR_LINE);
    },
  };
}

export function progressLine(label: string, done: number, total?: number): string {
  if (total === undefined) return `${label} ${done.toLocaleString('en')}`;
  const filled = total === 0 ? BAR : Math.floor((BAR * done) / total);
  const percent = total === 0 ? 100 : Math.floor((100 * done) / total);
  const of = total === 1 ? '' : ` of ${total.toLocaleString('en')}`;
  return `${label} ${'█'.repeat(filled)}${'░'.repeat(BAR - filled)} ${percent}%${of}`;
}
