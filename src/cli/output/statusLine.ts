import { formatSeconds } from '../../system/formatDuration.ts';
import { CLEAR_LINE } from '../../system/terminalText.ts';
import type { Writer } from '../../system/writer.ts';

const FRAMES = ['⠋', '⠙', '⠹', '⠸', '⠼', '⠴', '⠦', '⠧', '⠇', '⠏'];
const REPAINT_MS = 100;

/** A line at the bottom of a terminal that is repainted in place and cleared before other output. */
export function statusLine(writer: Pick<Writer, 'err' | 'errIsTerminal' | 'columns'>, now: () => number) {
  if (!writer.errIsTerminal) return { show: (_text: string) => {}, clear: () => {}, stop: () => {} };
  const startedAt = now();
  let text = '';
  let frame = 0;
  let painted = false;
  const clear = () => {
    if (painted) writer.err(CLEAR_LINE);
    painted = false;
  };
  const paint = () => {
    if (!text) return;
    frame = (frame + 1) % FRAMES.length;
    const line = `${FRAMES[frame]} ${text} · ${formatSeconds(now() - startedAt)}`;
    writer.err(`${CLEAR_LINE}${line.slice(0, Math.max(10, writer.columns - 1))}`);
    painted = true;
  };
  const timer = setInterval(paint, REPAINT_MS);
  timer.unref();
  return {
    show: (next: string) => {
      text = next;
      paint();
    },
    clear,
    stop: () => {
      clearInterval(timer);
      text = '';
      clear();
    },
  };
}
