import { type Terminal, TuiMainScreen, truncateToWidth } from '@earendil-works/pi-tui';

const BEGIN = '\u001b[?2026h';
const END = '\u001b[?2026l';
const ENTER = '\u001b[?1049h\u001b[?25l';
const LEAVE = '\u001b[?1049l\u001b[?25h';
const CLEAR_LINE = '\u001b[2K';

interface Shown {
  readonly lines: readonly string[];
  readonly width: number;
  readonly height: number;
}

const NOTHING: Shown = { lines: [], width: 0, height: 0 };

/**
 * The alternate screen: every line of the terminal, of which only those that changed are written. The library's own one takes
 * page keys, search and the mouse for itself, and prints its last page when it ends.
 */
export class FullScreen extends TuiMainScreen {
  #shown = NOTHING;

  constructor(terminal: Terminal) {
    super(terminal, false);
  }

  get isOpen(): boolean {
    return !this.stopped;
  }

  protected override doRender(): void {
    if (this.stopped) return;
    const { columns: width, rows: height } = this.terminal;
    const lines = this.applyLineResets(
      this.render(width)
        .slice(0, height)
        .map((line) => truncateToWidth(line, width)),
    );
    // line by line: clearing the screen would flicker
    const isWhole = this.#shown.width !== width || this.#shown.height !== height;
    let text = '';
    for (let row = 0; row < height; row++) {
      const line = lines[row] ?? '';
      if (isWhole || line !== (this.#shown.lines[row] ?? '')) text += `\u001b[${row + 1};1H${CLEAR_LINE}${line}`;
    }
    this.#shown = { lines, width, height };
    if (text !== '') this.terminal.write(`${BEGIN}${text}\u001b[H${END}`);
  }

  protected override beforeTerminalStart(): void {
    this.#shown = NOTHING;
    this.terminal.write(ENTER);
  }

  /** tmux 3.3 moves lines of a resized alternate screen into the history of the main one: only empty ones do no harm there. */
  protected override beforeTerminalStop(): void {
    const rows = Array.from({ length: this.terminal.rows }, (_unused, row) => `\u001b[${row + 1};1H${CLEAR_LINE}`);
    this.terminal.write(rows.join(''));
  }

  protected override afterTerminalStop(): void {
    this.terminal.write(LEAVE);
  }

  protected override resetRenderState(): void {
    this.#shown = NOTHING;
  }
}
