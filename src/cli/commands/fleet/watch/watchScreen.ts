import { type Component, decodeKittyPrintable, isKeyRelease, ProcessTerminal, parseKey } from '@earendil-works/pi-tui';
import type { Clock } from '../../../../system/clock.ts';
import { formatAgo } from '../../../../system/formatDuration.ts';
import { terminalText } from '../../../../system/terminalText.ts';
import type { Paint } from '../../../output/colors.ts';
import { FullScreen } from '../../../output/screen/fullScreen.ts';
import { guardTerminal } from '../../../output/screen/restoreTerminal.ts';
import { press } from './keys.ts';
import { contextOf, type Effect, STARTING_UI, type Ui, type UiPage, withSelection } from './ui.ts';
import type { Item, WatchFacts } from './watchFacts.ts';
import { type Opened, watchPage } from './watchPage.ts';

interface WatchScreenOptions {
  readonly paint: Paint;
  readonly clock: Clock;
  /** Called with what a key asks for. */
  readonly onEffect: (effect: Effect) => void;
  readonly onPage: (page: UiPage) => void;
  /** Called when other rows are visible than before. */
  readonly onVisible: () => void;
}

interface Read {
  readonly facts: WatchFacts;
  /** By this process's clock. */
  readonly at: number;
}

const TICK_MS = 1_000;
/** Lines of a page that are not its content. */
const AROUND = 4;
// biome-ignore lint/suspicious/noControlCharactersInRegex: a terminal marks a paste with them
const PASTE = /^\u001b\[200~([\s\S]*)\u001b\[201~$/;

/** The view on a terminal: draws what was read, and hands on what a person wants. */
export class WatchScreen implements Component {
  readonly #options: WatchScreenOptions;
  readonly #terminal = new ProcessTerminal();
  readonly #screen = new FullScreen(this.#terminal);
  #ui: Ui = STARTING_UI;
  #read: Read | null = null;
  #away: string | null = null;
  #opened: Opened = { output: [], task: () => [] };
  #visible: readonly Item[] = [];
  #timer: NodeJS.Timeout | undefined;
  #over: () => void = () => {};
  readonly #onExit = () => this.#restore();

  constructor(options: WatchScreenOptions) {
    this.#options = options;
    this.#screen.addChild(this);
    this.#screen.addInputListener((data) => {
      this.#input(data);
      return { consume: true };
    });
  }

  get visible(): readonly Item[] {
    return this.#visible;
  }

  open(): void {
    const guard = guardTerminal({ alternateScreen: true });
    guard.holds(true);
    this.#over = () => guard.end();
    // also for an exception, and for a second signal
    process.on('exit', this.#onExit);
    this.#screen.start();
    this.#screen.renderNow();
    this.#timer = setInterval(() => this.update(), TICK_MS);
  }

  async close(): Promise<void> {
    clearInterval(this.#timer);
    await this.#terminal.drainInput(100, 20);
    this.#restore();
    process.off('exit', this.#onExit);
  }

  /** Once: leaving the alternate screen twice would move the cursor over what was printed since. */
  #restore(): void {
    if (this.#screen.isOpen) this.#screen.stop();
    this.#over();
  }

  /** Until the shell continues it. */
  async suspend(): Promise<void> {
    this.#screen.stop();
    const { promise, resolve } = Promise.withResolvers<void>();
    process.once('SIGCONT', () => resolve());
    process.kill(process.pid, 'SIGTSTP');
    await promise;
    this.#screen.start();
    this.#screen.renderNow(true);
  }

  show(facts: WatchFacts): void {
    this.#read = { facts, at: this.#options.clock.now() };
    this.#away = null;
    this.#ui = withSelection(this.#ui, facts);
    this.update();
  }

  /** The store does not answer: what was read stays. */
  showAway(reason: string): void {
    this.#away = reason;
    this.update();
  }

  showOpened(opened: Partial<Opened>): void {
    // a person who scrolled up reads there while lines are added below
    const added = (opened.output?.length ?? 0) - this.#opened.output.length;
    if (this.#ui.scroll > 0 && added > 0) this.#ui = { ...this.#ui, scroll: this.#ui.scroll + added };
    this.#opened = { ...this.#opened, ...opened };
    this.update();
  }

  message(text: string): void {
    this.#ui = { ...this.#ui, message: text };
    this.update();
  }

  update(): void {
    this.#screen.requestRender();
  }

  invalidate(): void {}

  #input(data: string): void {
    // a paste is text, never a command
    const [, pasted] = PASTE.exec(data) ?? [];
    if (pasted !== undefined) this.#press('', pasted.replaceAll(/\s+/g, ' '));
    else if (!isKeyRelease(data)) {
      const typed = decodeKittyPrintable(data) ?? (/^[^\p{Cc}]+$/u.test(data) ? data : '');
      this.#press(typed.length === 1 ? typed : (parseKey(data) ?? ''), typed);
    }
  }

  #press(key: string, typed: string): void {
    if (this.#read === null) {
      if (key === 'q' || key === 'ctrl+c') this.#options.onEffect({ type: 'quit' });
      return;
    }
    const before = this.#ui;
    const { ui, effect } = press(this.#context(this.#read), key, typed);
    this.#ui = { ...before, ...ui };
    if (this.#ui.page !== before.page) {
      this.#opened = { output: [], task: () => [] };
      this.#options.onPage(this.#ui.page);
    }
    if (effect !== undefined) this.#options.onEffect(effect);
    this.#screen.renderNow();
  }

  #context({ facts, at }: Read) {
    // ages go on between readings
    const now = facts.status.now + (this.#options.clock.now() - at);
    return contextOf(this.#ui, facts, { now, rows: Math.max(1, this.#terminal.rows - AROUND) });
  }

  render(width: number): string[] {
    const { paint, clock } = this.#options;
    const read = this.#read;
    if (read === null) return [this.#away ?? 'Reading the store …'].map((line) => terminalText(line));
    const away = this.#away === null ? null : `${this.#away} Last read ${formatAgo(read.at, clock.now())}.`;
    const view = { context: this.#context(read), opened: this.#opened, away };
    const { lines, visible, mostScroll } = watchPage(view, { paint, width, height: this.#terminal.rows });
    if (this.#ui.scroll > mostScroll) this.#ui = { ...this.#ui, scroll: mostScroll };
    const isOther =
      visible.length !== this.#visible.length || visible.some(({ id }, row) => id !== this.#visible[row]?.id);
    this.#visible = visible;
    if (isOther) this.#options.onVisible();
    return lines.map((line) => terminalText(line));
  }
}
