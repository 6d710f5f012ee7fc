import {
  type AutocompleteProvider,
  type Component,
  Editor,
  Markdown,
  matchesKey,
  ProcessTerminal,
  truncateToWidth,
  visibleWidth,
  wrapTextWithAnsi,
} from '@earendil-works/pi-tui';
import type { QueryEvent } from '../../../query/events.ts';
import type { Clock } from '../../../system/clock.ts';
import { formatSeconds } from '../../../system/formatDuration.ts';
import { terminalText } from '../../../system/terminalText.ts';
import type { Paint } from '../../output/colors.ts';
import { LiveScreen } from '../../output/screen/liveScreen.ts';
import { finishedPart } from '../../output/screen/markdownStream.ts';
import { restoreTerminalAfterDeath } from '../../output/screen/restoreTerminal.ts';
import { editorTheme, markdownTheme } from '../../output/screen/theme.ts';
import { oneLine } from '../../output/visibleText.ts';
import type { TypedPrompts } from './typedPrompts.ts';
import { type BlockStyle, blockOf } from './view/blocks.ts';
import { areRunning, followHooks, gateLines, type RunningHook } from './view/gateLines.ts';

/** What takes the place of the input: a question, an answer beside the conversation, a list. */
export interface Panel {
  lines(width: number): readonly string[];
  /** Returns whether the panel used the key. */
  key(data: string): boolean;
}

export interface ScreenEvents {
  /** A submitted text; `tab` queues it. */
  typed(text: string, key: 'enter' | 'tab'): void;
  interrupt(): void;
  leave(): void;
  cycleMode(): void;
  changed(draft: string): void;
  suspend(): void;
}

interface ScreenOptions {
  readonly paint: Paint;
  readonly clock: Clock;
  readonly events: ScreenEvents;
  readonly prompts: TypedPrompts;
  readonly footer: () => string;
}

/** Events kept for ctrl+o. */
const KEPT_EVENTS = 400;
const TICK_MS = 500;

/** The screen of a session: what is finished above, what is alive and the input below. */
export class SessionScreen implements Component {
  readonly #options: ScreenOptions;
  readonly #terminal = new ProcessTerminal();
  readonly #screen = new LiveScreen(this.#terminal);
  readonly #editor: Editor;
  readonly #headings = new Map<string, string>();
  readonly #tools = new Map<string, { readonly title: string; readonly startedAt: number }>();
  #hooks: readonly RunningHook[] = [];
  #answer = '';
  #workingSince: number | null = null;
  #notices: readonly string[] = [];
  #suggestion: string | undefined;
  #panels: readonly Panel[] = [];
  #kept: QueryEvent[] = [];
  #timer: NodeJS.Timeout | undefined;
  #over: () => void = () => {};
  /** Keys of a paste must not answer a question. */
  #lastTypedAt = 0;

  constructor(options: ScreenOptions) {
    this.#options = options;
    this.#editor = new Editor(this.#screen, editorTheme(options.paint), { paddingX: 0 });
    this.#editor.onSubmit = (text) => this.#submit(text, 'enter');
    this.#editor.onChange = (text) => {
      if (text !== '') this.#suggestion = undefined;
      options.events.changed(text);
    };
    this.#screen.addChild(this);
    this.#screen.setFocus(this.#editor);
    this.#screen.addInputListener((data) => (this.#key(data) ? { consume: true } : undefined));
  }

  open(): void {
    this.#over = restoreTerminalAfterDeath();
    this.#screen.start();
    this.#screen.renderNow();
  }

  async close(): Promise<void> {
    clearInterval(this.#timer);
    await this.#terminal.drainInput(100, 20);
    this.#screen.stop();
    this.#over();
  }

  /** Runs something that needs the terminal for itself. */
  async without(work: () => Promise<void>): Promise<void> {
    this.#screen.stop();
    try {
      await work();
    } finally {
      this.#screen.start();
      this.update();
    }
  }

  update(): void {
    this.#screen.requestRender();
  }

  get draft(): string {
    return this.#editor.getExpandedText();
  }

  setDraft(text: string): void {
    this.#editor.setText(text);
    this.update();
  }

  remember(prompts: readonly string[]): void {
    for (const prompt of prompts) this.#editor.addToHistory(prompt);
  }

  completeWith(provider: AutocompleteProvider): void {
    this.#editor.setAutocompleteProvider(provider);
  }

  suggest(text: string | undefined): void {
    this.#suggestion = text;
    this.update();
  }

  notice(text: string): void {
    this.#notices = [...this.#notices, text].slice(-3);
    this.update();
  }

  working(isWorking: boolean): void {
    const { clock } = this.#options;
    this.#workingSince = isWorking ? clock.now() : null;
    clearInterval(this.#timer);
    if (isWorking) {
      this.#notices = [];
      this.#timer = setInterval(() => this.update(), TICK_MS);
    } else {
      this.#finishAnswer();
      this.#tools.clear();
      this.#hooks = [];
    }
    this.update();
  }

  /** Text from anywhere; only our own colors are kept. */
  print(lines: readonly string[]): void {
    const width = this.#terminal.columns;
    this.#screen.print(lines.flatMap((line) => wrapTextWithAnsi(terminalText(line), width)));
  }

  show(panel: Panel): () => void {
    this.#panels = [...this.#panels, panel];
    this.update();
    return () => {
      this.#panels = this.#panels.filter((one) => one !== panel);
      this.update();
    };
  }

  get hasPanel(): boolean {
    return this.#panels.length > 0;
  }

  /** Whether keys arrived so recently that they may belong to a paste or to a word being typed. */
  isBeingTyped(): boolean {
    return this.#options.clock.now() - this.#lastTypedAt < 300;
  }

  event(event: QueryEvent): void {
    const { clock, paint } = this.#options;
    this.#hooks = followHooks(this.#hooks, event, clock.now());
    if (event.type === 'stream_event' && event.event.type === 'text_delta') this.#stream(event.event.text);
    if (event.type === 'assistant') this.#answered(event);
    if (event.type === 'tombstone' && this.#answer !== '') {
      this.#finishAnswer();
      this.print([paint('yellow', '! The answer broke off here.')]);
    }
    if (event.type === 'tool_start') {
      const title = `${paint('bold', event.name)} ${oneLine(event.summary, 200)}`;
      this.#headings.set(event.toolUseId, title);
      this.#tools.set(event.toolUseId, { title, startedAt: clock.now() });
    }
    if (event.type === 'user') this.#endTools(event);
    if (event.type === 'system' && event.subtype === 'stop_hook_error') {
      this.notice('A Stop hook gave no verdict · ctrl+o to see');
    }
    this.print(blockOf(event, { paint, isWhole: false }, this.#headings));
    if (event.type !== 'stream_event') this.#kept = [...this.#kept, event].slice(-KEPT_EVENTS);
    this.update();
  }

  #endTools(event: Extract<QueryEvent, { type: 'user' }>): void {
    const { content } = event.message;
    if (typeof content === 'string') return;
    for (const block of content) if (block.type === 'tool_result') this.#tools.delete(block.tool_use_id);
  }

  #stream(text: string): void {
    this.#answer += text;
    const end = finishedPart(this.#answer);
    if (end === 0) return;
    this.#printMarkdown(this.#answer.slice(0, end));
    this.#answer = this.#answer.slice(end);
  }

  /** What was streamed is printed already; a model that does not stream has only this. */
  #answered(event: Extract<QueryEvent, { type: 'assistant' }>): void {
    for (const block of event.message.content) {
      if (block.type === 'tool_use' && !this.#headings.has(block.id)) this.#headings.set(block.id, block.name);
    }
    this.#finishAnswer();
  }

  #finishAnswer(): void {
    if (this.#answer.trim() !== '') this.#printMarkdown(this.#answer);
    this.#answer = '';
  }

  #printMarkdown(text: string): void {
    this.#screen.print([...this.#markdown(text, this.#terminal.columns), '']);
  }

  #markdown(text: string, width: number): string[] {
    const lines = new Markdown(terminalText(text.trim()), 0, 0, markdownTheme(this.#options.paint)).render(width);
    return lines.map((line) => line.trimEnd());
  }

  /** Everything of the last turn, for good: commands, output, times, and what the model was told. */
  #showWhole(): void {
    const style: BlockStyle = { paint: this.#options.paint, isWhole: true };
    const lines = this.#kept.flatMap((event) => blockOf(event, style, this.#headings));
    this.print([style.paint('dim', '── all of the last turn ──'), ...lines, style.paint('dim', '── end ──')]);
  }

  #submit(text: string, key: 'enter' | 'tab'): void {
    if (text.trim() === '') return;
    this.#editor.addToHistory(text);
    this.#options.events.typed(text, key);
  }

  #key(data: string): boolean {
    const { events } = this.#options;
    const panel = this.#panels[0];
    if (panel !== undefined) {
      if (panel.key(data)) {
        this.update();
        return true;
      }
    } else this.#lastTypedAt = this.#options.clock.now();
    const text = this.#editor.getText();
    if (matchesKey(data, 'ctrl+o')) return this.#did(() => this.#showWhole());
    if (matchesKey(data, 'ctrl+z')) return this.#did(events.suspend);
    if (matchesKey(data, 'shift+tab')) return this.#did(events.cycleMode);
    if (matchesKey(data, 'ctrl+c')) return this.#did(text === '' ? events.leave : () => this.setDraft(''));
    if (matchesKey(data, 'ctrl+d') && text === '') return this.#did(events.leave);
    if (matchesKey(data, 'escape') && !this.#editor.isShowingAutocomplete()) return this.#did(events.interrupt);
    const takes = matchesKey(data, 'tab') || matchesKey(data, 'right');
    if (takes && text === '' && this.#suggestion !== undefined) {
      return this.#did(() => this.setDraft(this.#suggestion ?? ''));
    }
    if (matchesKey(data, 'tab') && text.trim() !== '' && this.#workingSince !== null && !text.startsWith('/')) {
      return this.#did(() => {
        const whole = this.draft;
        this.setDraft('');
        this.#submit(whole, 'tab');
      });
    }
    if (matchesKey(data, 'alt+up')) {
      return this.#did(() => {
        const back = this.#options.prompts.takeBack();
        if (back !== undefined) this.setDraft([back, this.draft].filter(Boolean).join('\n'));
      });
    }
    return false;
  }

  #did(work: () => void): true {
    work();
    this.update();
    return true;
  }

  // the live part of the screen

  invalidate(): void {
    this.#editor.invalidate();
  }

  render(width: number): string[] {
    const { paint, clock, prompts, footer } = this.#options;
    const now = clock.now();
    const fit = (line: string) => truncateToWidth(terminalText(line), width);
    const answer = this.#answer.trim() === '' ? [] : this.#markdown(this.#answer, width);
    const tools = [...this.#tools.values()].map(
      ({ title, startedAt }) => `${paint('cyan', '●')} ${title} · ${formatSeconds(now - startedAt)}`,
    );
    const hooks = gateLines(this.#hooks, { paint, now });
    const queue = prompts.waiting.map(({ text, for: use }) =>
      paint('magenta', `${use === 'steer' ? '↳ next step' : '⧗ after this turn'}: ${oneLine(text)} (alt+↑ edits)`),
    );
    const notices = this.#notices.map((text) => {
      const line = terminalText(paint('yellow', text));
      return `${' '.repeat(Math.max(0, width - visibleWidth(line)))}${line}`;
    });
    const panel = this.#panels[0];
    const input = panel === undefined ? this.#input(width) : panel.lines(width).map(fit);
    return [
      ...answer,
      ...[...tools, ...hooks, ...this.#status(now), ...queue].map(fit),
      ...notices.map((line) => truncateToWidth(line, width)),
      ...input,
      ...[footer()].map(fit),
    ];
  }

  #status(now: number): readonly string[] {
    if (this.#workingSince === null) return [];
    const time = formatSeconds(now - this.#workingSince);
    const what = areRunning(this.#hooks) ? 'checking the stop' : this.#tools.size > 0 ? 'running tools' : 'thinking';
    return [this.#options.paint('cyan', `* ${what} · ${time}`)];
  }

  /** The suggestion is shown in the empty input, and is not part of it. */
  #input(width: number): string[] {
    const lines = this.#editor.render(width);
    if (this.#suggestion === undefined || this.#editor.getText() !== '') return lines;
    const ghost = terminalText(this.#options.paint('dim', `${oneLine(this.#suggestion, width - 12)} (tab takes it)`));
    return lines
      .map((line, row) => (row === 1 ? `${line.trimEnd()}${ghost}` : line))
      .map((line) => truncateToWidth(line, width));
  }
}
