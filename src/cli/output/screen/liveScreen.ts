import { type Terminal, TuiMainScreen, truncateToWidth, visibleWidth } from '@earendil-works/pi-tui';

const BEGIN = '\u001b[?2026h';
const END = '\u001b[?2026l';
const CLEAR_REST = '\u001b[J';
/** Never from the first row of the screen: tmux would keep what it clears in its scrollback, a copy of the live part each time. */
const CLEAR_BELOW = `\u001b7\u001b[K\u001b[1B${CLEAR_REST}\u001b8`;
const CLEAR_RIGHT = '\u001b[K';
const HIDE_CURSOR = '\u001b[?25l';
const SHOW_CURSOR = '\u001b[?25h';
/** The terminal keeps the main screen and the cursor's place on it. */
const OTHER_SCREEN = '\u001b[?1049h';
const MAIN_SCREEN = '\u001b[?1049l';

/**
 * Lines of one frame: the terminal may be slow, and a key that is pressed meanwhile waits for the frame. What is left is printed
 * with the next ones.
 */
const FRAME_LINES = 200;
/** Lines that wait to be printed, such as while something takes the whole screen: a flood must not fill the memory. */
const MOST_WAITING = 50_000;

/** Terminals that are xterm.js. */
const MOVES_CURSOR_TOO_FAR = /^(?:vscode|Hyper|Tabby)$/.test(process.env.TERM_PROGRAM ?? '');

/** The lines of something that takes the whole screen. */
export type FullScreen = (size: { readonly width: number; readonly height: number }) => readonly string[];

interface Shown {
  readonly lines: readonly string[];
  readonly width: number;
  readonly height: number;
  /** Where the cursor stands: a row of `lines`, and a column. */
  readonly cursor: { readonly row: number; readonly col: number };
}

const NOTHING: Shown = { lines: [], width: 0, height: 0, cursor: { row: 0, col: 0 } };

/**
 * The bottom of the main screen, drawn again when it changes. What is finished is printed above it once and then belongs to the
 * terminal: scrollback, selection and search stay its own, and a frame costs what is still alive, however long the session.
 * The library's own renderer keeps all lines and clears the scrollback at every resize.
 */
export class LiveScreen extends TuiMainScreen {
  #shown = NOTHING;
  #finished: string[] = [];
  #leftOut = 0;
  #full: FullScreen | null = null;

  constructor(terminal: Terminal) {
    super(terminal, true);
  }

  /** Prints lines above the live part, for good. */
  print(lines: readonly string[]): void {
    if (lines.length === 0) return;
    for (const line of lines) this.#finished.push(line);
    if (this.#finished.length > 2 * MOST_WAITING) {
      this.#leftOut += this.#finished.length - MOST_WAITING;
      this.#finished = this.#finished.slice(-MOST_WAITING);
    }
    this.requestRender();
  }

  /** Shows something on a screen of its own; null goes back to the session, where printing went on. */
  showFull(full: FullScreen | null): void {
    const isOpen = this.#full !== null;
    this.#full = full;
    if (full !== null && !isOpen) this.terminal.write(`${OTHER_SCREEN}${HIDE_CURSOR}`);
    if (full === null && isOpen) this.terminal.write(`${MAIN_SCREEN}${SHOW_CURSOR}`);
    this.requestRender();
  }

  protected override doRender(): void {
    if (this.stopped) return;
    refreshSize();
    const { columns: width, rows: height } = this.terminal;
    if (this.#full !== null) {
      const lines = this.#full({ width, height }).slice(0, height);
      const text = lines.map((line) => withEnd(truncateToWidth(line, width), width)).join('\r\n');
      this.terminal.write(`${BEGIN}\u001b[H${text}${lines.length < height ? `\r\n${CLEAR_REST}` : ''}${END}`);
      return;
    }
    const all = this.render(width);
    // the end of it is where the person types
    const visible = all.slice(-Math.max(1, height - 1));
    const cursor = this.extractCursorPosition(visible, height) ?? { row: Math.max(0, visible.length - 1), col: 0 };
    const next = { lines: this.applyLineResets(visible), width, height, cursor };
    if (this.#finished.length === 0 && isSame(this.#shown, next)) return;
    this.terminal.write(`${BEGIN}${this.#change(next)}${END}`);
    if (this.#finished.length > 0) this.requestRender();
  }

  /** Another program takes the screen, or the session ends: the live part is removed. */
  protected override beforeTerminalStop(): void {
    this.showFull(null);
    this.terminal.write(`${this.#finish()}${SHOW_CURSOR}`);
  }

  protected override resetRenderState(): void {
    this.#shown = NOTHING;
  }

  /** Removes the live part and prints what waits in its place. */
  #finish(): string {
    const text = `${this.#toRow(0)}${CLEAR_BELOW}${this.#nextLines(this.#finished.length).join('')}`;
    this.#shown = NOTHING;
    return text;
  }

  /** Lines that wait, each with its end. */
  #nextLines(most: number): string[] {
    const width = this.terminal.columns;
    const left = this.#leftOut;
    this.#leftOut = 0;
    const note = left === 0 ? [] : [`… ${left} lines are not shown here; the transcript has them`];
    return [...note, ...this.#finished.splice(0, most)].map((line) => `${withEnd(line, width)}\r\n`);
  }

  #change(next: Shown): string {
    const { lines: before, width, height } = this.#shown;
    const isResized = before.length > 0 && (width !== next.width || height !== next.height);
    const isWhole = isResized || this.#finished.length > 0;
    const from = isWhole ? 0 : firstDifference(before, next.lines);
    // lines are written over those that are there: a terminal without synchronized output would show a cleared part
    const start = `${this.#toRow(from)}${isResized ? CLEAR_BELOW : ''}`;
    const finished = isWhole ? this.#nextLines(FRAME_LINES) : [];
    const rest = next.lines.slice(from).map((line) => withEnd(line, next.width));
    const isShorter = !isResized && before.length > finished.length + next.lines.length;
    const last = Math.max(from, next.lines.length) - 1;
    // after the last line the cursor stands on it
    const stands = rest.length > 0 ? last : from;
    const below = isShorter ? `${rest.length > 0 ? '\r\n' : ''}${CLEAR_BELOW}${rest.length > 0 ? up(1) : ''}` : '';
    this.#shown = { ...next, cursor: { row: stands, col: 0 } };
    const text = `${start}${finished.join('')}${rest.join('\r\n')}${below}${this.#toRow(next.cursor.row)}`;
    this.#shown = next;
    return `${text}${next.cursor.col > 0 ? `\u001b[${next.cursor.col}C` : ''}`;
  }

  /** To the start of a row of what is shown. A terminal that became narrower has broken its lines. */
  #toRow(row: number): string {
    const { lines, cursor } = this.#shown;
    const rowsOf = (line: string) => Math.max(1, Math.ceil(visibleWidth(line) / Math.max(1, this.terminal.columns)));
    const heightOf = (from: number, to: number) => lines.slice(from, to).reduce((sum, line) => sum + rowsOf(line), 0);
    // xterm.js moves the cursor by the rows that lines below it gained, too
    const gained = MOVES_CURSOR_TOO_FAR
      ? heightOf(cursor.row, lines.length) - (lines.length - cursor.row)
      : Math.floor(cursor.col / Math.max(1, this.terminal.columns));
    const rows = row <= cursor.row ? heightOf(row, cursor.row) + gained : -heightOf(cursor.row, row);
    return `\r${rows > 0 ? up(rows) : ''}${rows < 0 ? `\u001b[${-rows}B` : ''}`;
  }
}

/** The signal of a resize arrives later than the resize: a frame for the old size would be broken by the new one. */
function refreshSize(): void {
  (process.stdout as { _refreshSize?: () => void })._refreshSize?.();
}

const isSame = (before: Shown, after: Shown) =>
  before.width === after.width &&
  before.height === after.height &&
  before.cursor.row === after.cursor.row &&
  before.cursor.col === after.cursor.col &&
  before.lines.length === after.lines.length &&
  before.lines.every((line, at) => line === after.lines[at]);

const up = (rows: number) => `\u001b[${rows}A`;

/** A full line leaves the cursor on its last column, where clearing would take its last character. */
const withEnd = (line: string, width: number) => (visibleWidth(line) < width ? `${line}${CLEAR_RIGHT}` : line);

/** At most the last line that is there: moving down creates no new one. */
function firstDifference(before: readonly string[], after: readonly string[]): number {
  const index = after.findIndex((line, at) => line !== before[at]);
  const last = Math.min(before.length, after.length) - 1;
  return Math.max(0, index === -1 ? last : Math.min(index, last));
}
