import { type Component, Editor, ProcessTerminal, truncateToWidth, wrapTextWithAnsi } from '@earendil-works/pi-tui';
import type { QueryEvent } from '../../../query/events.ts';
import type { CheckProgress } from '../../../stop/checks/types.ts';
import type { Clock } from '../../../system/clock.ts';
import { terminalText } from '../../../system/terminalText.ts';
import type { Paint } from '../../output/colors.ts';
import { LiveScreen } from '../../output/screen/liveScreen.ts';
import type { Panel } from '../../output/screen/panels/panel.ts';
import { textPanel } from '../../output/screen/panels/textPanel.ts';
import { guardTerminal } from '../../output/screen/restoreTerminal.ts';
import { editorTheme } from '../../output/screen/theme.ts';
import { type Completions, completion } from './completion.ts';
import { type KeyTarget, pressKey } from './keys.ts';
import type { SessionView, ViewEvents } from './sessionView.ts';
import type { TypedFor, TypedPrompt } from './typedPrompts.ts';
import { AnswerStream } from './view/answerStream.ts';
import { LiveWork } from './view/liveWork.ts';
import { Notices, queueLines, withSuggestion } from './view/notices.ts';
import { TurnRecord } from './view/turnRecord.ts';

interface ScreenOptions {
  readonly paint: Paint;
  readonly clock: Clock;
  readonly events: ViewEvents;
  readonly waiting: () => readonly TypedPrompt[];
  readonly footer: () => readonly string[];
}

const TICK_MS = 250;
/** Without a key for this long, a person is not in the middle of a word. */
const PAUSE_MS = 1_500;
const PASTE = '\u001b[200~';

/** The screen of a session: what is finished above, what is alive and the input below. */
export class SessionScreen implements SessionView, Component, KeyTarget {
  readonly events: ViewEvents;
  readonly #options: ScreenOptions;
  readonly #terminal = new ProcessTerminal();
  readonly #screen = new LiveScreen(this.#terminal);
  readonly #editor: Editor;
  readonly #answer: AnswerStream;
  readonly #work: LiveWork;
  readonly #record: TurnRecord;
  readonly #notices: Notices;
  #panels: readonly Panel[] = [];
  #timer: NodeJS.Timeout | undefined;
  #typedAt = 0;
  #guard: ReturnType<typeof guardTerminal> | undefined;
  suggestion: string | undefined;

  constructor(options: ScreenOptions) {
    const { paint, clock, events } = options;
    this.#options = options;
    this.events = events;
    this.#answer = new AnswerStream(paint);
    this.#work = new LiveWork(paint, clock);
    this.#notices = new Notices(paint);
    this.#record = new TurnRecord(paint);
    this.#editor = new Editor(this.#screen, editorTheme(paint), { paddingX: 0 });
    this.#editor.onSubmit = (text) => this.#submitted(text, 'steer');
    this.#editor.onChange = (text) => {
      if (text !== '') this.suggestion = undefined;
      events.draftChanged();
    };
    this.#screen.addChild(this);
    this.#screen.setFocus(this.#editor);
    this.#screen.addInputListener((data) => (this.#key(data) ? { consume: true } : undefined));
  }

  open(): void {
    this.#guard = guardTerminal();
    this.#start();
  }

  async close(): Promise<void> {
    clearInterval(this.#timer);
    await this.#terminal.drainInput(100, 20);
    this.#stop();
    this.#guard?.end();
  }

  async without<Result>(work: () => Promise<Result>): Promise<Result> {
    this.#stop();
    try {
      return await work();
    } finally {
      this.#start();
    }
  }

  /** What any part prints as a warning would land in the middle of the screen. */
  readonly #printError = (text: string | Uint8Array, ...more: unknown[]): boolean => {
    const words = String(text).trimEnd();
    if (words !== '') this.print(words.split('\n'));
    const written = more.find((one) => typeof one === 'function');
    written?.();
    return true;
  };

  #start(): void {
    this.#guard?.holds(true);
    this.#screen.start();
    process.stderr.write = this.#printError;
    this.#screen.renderNow();
  }

  #stop(): void {
    // its own method again, from the prototype
    Reflect.deleteProperty(process.stderr, 'write');
    this.#screen.stop();
    this.#guard?.holds(false);
  }

  update(): void {
    this.#screen.requestRender();
  }

  get draft(): string {
    return this.#editor.getExpandedText();
  }

  set draft(text: string) {
    this.#editor.setText(text);
    this.update();
  }

  get isWorking(): boolean {
    return this.#work.isWorking;
  }

  get isCompleting(): boolean {
    return this.#editor.isShowingAutocomplete();
  }

  remember(prompts: readonly string[]): void {
    for (const prompt of prompts) this.#editor.addToHistory(prompt);
  }

  completeWith(completions: Completions): void {
    this.#editor.setAutocompleteProvider(completion(completions));
  }

  suggest(text: string | undefined): void {
    this.suggestion = text;
    this.update();
  }

  notice(text: string): void {
    this.#notices.add(text);
    this.update();
  }

  settle(): void {
    this.#notices.clear();
    this.update();
  }

  working(isWorking: boolean): void {
    this.#work.working(isWorking);
    if (isWorking) {
      this.#notices.clear();
      this.#record.begin();
    } else this.#screen.print(this.#answer.end(this.#width));
    this.#keepTime();
    this.update();
  }

  /** Times pass, and what a panel shows may grow. */
  #keepTime(): void {
    clearInterval(this.#timer);
    const isAlive = this.isWorking || this.#panel !== undefined;
    this.#timer = isAlive ? setInterval(() => this.update(), TICK_MS) : undefined;
  }

  print(lines: readonly string[]): void {
    this.#screen.print(lines.flatMap((line) => wrapTextWithAnsi(terminalText(line), this.#width)));
  }

  show(panel: Panel): () => void {
    this.#panels = [...this.#panels, panel];
    this.#showPanel();
    return () => {
      this.#panels = this.#panels.filter((one) => one !== panel);
      this.#showPanel();
    };
  }

  /** The latest is on top, so that what a question opens can be closed first. */
  get #panel(): Panel | undefined {
    return this.#panels.at(-1);
  }

  get #isAsking(): boolean {
    return this.#panels.some(({ isQuestion }) => isQuestion);
  }

  #showPanel(): void {
    const panel = this.#panel;
    this.#screen.showFull(panel?.isFull ? (size) => panel.lines(size) : null);
    this.#keepTime();
  }

  check(progress: CheckProgress): void {
    this.#work.check(progress);
    this.update();
  }

  event(event: QueryEvent): void {
    this.#work.see(event);
    if (event.type === 'stream_event' && event.event.type === 'text_delta') {
      this.#screen.print(this.#answer.add(event.event.text, this.#width));
    }
    const isBroken = event.type === 'tombstone' && !this.#answer.isEmpty;
    if (event.type === 'assistant' || event.type === 'tombstone') this.#screen.print(this.#answer.end(this.#width));
    if (isBroken) this.print([this.#options.paint('yellow', '! The answer broke off here.')]);
    if (event.type === 'system' && event.subtype === 'stop_hook_error') {
      this.notice('A Stop hook gave no verdict · ctrl+o to see');
    }
    this.print(this.#record.see(event));
    this.update();
  }

  showWhole(): void {
    const { paint } = this.#options;
    const lines = this.#record.whole();
    const text = () => (lines.length === 0 ? ['Nothing has happened yet.'] : lines);
    const title = 'All of the last turn';
    const close = this.show(
      textPanel({ title, text, paint, isFull: true, atEnd: true, closedBy: ['ctrl+o'], close: () => close() }),
    );
  }

  submit(use: TypedFor): void {
    const text = this.draft;
    this.draft = '';
    this.#submitted(text, use);
  }

  #submitted(text: string, use: TypedFor): void {
    if (text.trim() === '') return;
    this.#editor.addToHistory(text);
    this.#notices.clear();
    this.events.typed(text, use);
  }

  #key(data: string): boolean {
    // a paste is text, also while a question is open: it answers nothing, and is in the input afterwards
    const isText = this.#panel?.isQuestion === true && data.startsWith(PASTE);
    const isUsed = this.#panel === undefined ? pressKey(data, this) : !isText && this.#panel.key(data);
    if (isUsed) this.update();
    else this.#typedAt = this.#options.clock.now();
    return isUsed;
  }

  isBeingTyped = (): boolean => this.draft !== '' && this.#options.clock.now() - this.#typedAt < PAUSE_MS;

  get #width(): number {
    return this.#terminal.columns;
  }

  // the live part of the screen

  invalidate(): void {
    this.#editor.invalidate();
  }

  render(width: number): string[] {
    const { paint, waiting, footer } = this.#options;
    const cut = (line: string) => truncateToWidth(terminalText(line), width);
    const rule = cut(paint('dim', '─'.repeat(width)));
    const below = footer().map(cut);
    // the first row stays free, and the rule has one
    const height = Math.max(1, this.#terminal.rows - 2 - below.length);
    const panel = this.#panel?.isFull ? undefined : this.#panel;
    const input = panel === undefined ? this.#input(width) : [rule, ...panel.lines({ width, height })];
    return [
      ...this.#answer.live(width),
      ...[...this.#work.lines(this.#isAsking), ...queueLines(waiting(), paint)].map(cut),
      ...this.#notices.lines(width),
      ...input,
      ...below,
    ];
  }

  #input(width: number): string[] {
    const lines = this.#editor.render(width);
    if (this.suggestion === undefined || this.#editor.getText() !== '') return lines;
    return withSuggestion(lines, this.suggestion, { width, paint: this.#options.paint });
  }
}
