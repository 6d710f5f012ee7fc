import { truncateToWidth } from '@earendil-works/pi-tui';
import { terminalText } from '../../../../system/terminalText.ts';
import type { Paint } from '../../colors.ts';
import { isKey, type KeyName } from '../keys.ts';
import { type Panel, type PanelSize, wrapped } from './panel.ts';

interface PanelAction {
  readonly key: KeyName;
  readonly label: string;
  run(): void;
}

interface TextOptions {
  readonly title: string;
  /** Read again at each frame: it may grow. A list that was shown before is taken to be the same. */
  readonly text: () => readonly string[];
  readonly paint: Paint;
  readonly isFull?: boolean;
  /** Begins at the end, and follows it until the person scrolls. */
  readonly atEnd?: boolean;
  /** Keys that close it besides esc, enter and q. */
  readonly closedBy?: readonly KeyName[];
  readonly actions?: readonly PanelAction[];
  close(): void;
}

/** Rows of a text that shares the screen with the session. */
const SHARED_ROWS = 14;

/** A text to read and scroll. */
export function textPanel(options: TextOptions): Panel {
  const { title, text, paint, isFull = false, closedBy = [], actions = [], close } = options;
  /** Null: at the end. */
  let top: number | null = options.atEnd ? null : 0;
  let shown = { rows: 1, count: 0, top: 0 };
  /** Of a long text that did not change, a key must not cost a look at all of it. */
  let broken: { text: readonly string[]; width: number; lines: readonly string[] } = { text: [], width: 0, lines: [] };
  const linesAt = (width: number) => {
    const now = text();
    if (now !== broken.text || width !== broken.width) broken = { text: now, width, lines: wrapped(now, width) };
    return broken.lines;
  };
  const scroll = (rows: number) => {
    const last = Math.max(0, shown.count - shown.rows);
    const next = Math.max(0, shown.top + rows);
    top = next >= last && options.atEnd ? null : Math.min(next, last);
    return true;
  };
  return {
    isFull,
    isText: true,
    lines: ({ width, height }: PanelSize) => {
      const rows = Math.max(1, (isFull ? height : Math.min(height, SHARED_ROWS)) - 2);
      const lines = linesAt(width);
      const last = Math.max(0, lines.length - rows);
      const first = Math.min(top ?? last, last);
      shown = { rows, count: lines.length, top: first };
      const place =
        lines.length > rows ? ` · ${first + 1} to ${Math.min(first + rows, lines.length)} of ${lines.length}` : '';
      const keys = ['↑↓ scroll', ...actions.map(({ key, label }) => `${key} ${label}`), 'esc closes'].join(' · ');
      const cut = (line: string) => truncateToWidth(terminalText(line), width);
      const heading = cut(paint('bold', title));
      return [heading, ...lines.slice(first, first + rows), cut(paint('dim', `${keys}${place}`))];
    },
    key: (data) => {
      const action = actions.find(({ key }) => isKey(data, key));
      if (action !== undefined) action.run();
      else if (isKey(data, 'escape', 'enter', 'q', ...closedBy)) close();
      else if (isKey(data, 'up', 'k')) scroll(-1);
      else if (isKey(data, 'down', 'j')) scroll(1);
      else if (isKey(data, 'pageUp')) scroll(-shown.rows);
      else if (isKey(data, 'pageDown', 'space')) scroll(shown.rows);
      else if (isKey(data, 'home', 'g')) scroll(-shown.count);
      else if (isKey(data, 'end', 'shift+g')) scroll(shown.count);
      return true;
    },
  };
}
