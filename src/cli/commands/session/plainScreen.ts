import { createInterface, type Interface } from 'node:readline';
import type { QueryEvent } from '../../../query/events.ts';
import { textOf } from '../../../session/conversation.ts';
import type { CheckProgress } from '../../../stop/checks/types.ts';
import type { Clock } from '../../../system/clock.ts';
import type { Writer } from '../../../system/writer.ts';
import type { Paint } from '../../output/colors.ts';
import type { Panel } from '../../output/screen/panels/panel.ts';
import type { SessionView, ViewEvents } from './sessionView.ts';
import { followHooks, type RunningHook } from './view/gateLines.ts';
import { TurnRecord } from './view/turnRecord.ts';

interface PlainOptions {
  readonly paint: Paint;
  readonly clock: Clock;
  readonly writer: Writer;
  readonly events: ViewEvents;
}

const WIDTH = 80;

/**
 * Lines in, lines out: for screen readers, dumb terminals and logs. Nothing is drawn twice, and a question is answered with a
 * line that is its key and nothing else.
 */
export class PlainScreen implements SessionView {
  readonly #options: PlainOptions;
  readonly #record: TurnRecord;
  #panels: readonly Panel[] = [];
  #hooks: readonly RunningHook[] = [];
  #lines: Interface | undefined;
  draft = '';

  constructor(options: PlainOptions) {
    this.#options = options;
    this.#record = new TurnRecord(options.paint);
  }

  open(): void {
    const { events } = this.#options;
    const lines = createInterface({ input: process.stdin, terminal: false });
    lines.on('line', (line) => this.#typed(line));
    lines.on('close', () => {
      if (this.#lines === lines) events.leave();
    });
    this.#lines = lines;
    process.on('SIGINT', this.#onInterrupt);
    this.print(['Type a prompt and press enter; /help lists commands, ctrl+c interrupts, ctrl+d ends the session.']);
  }

  readonly #onInterrupt = () => {
    if (this.#isWorking) this.#options.events.interrupt();
    else this.#options.events.leave();
  };
  #isWorking = false;

  async close(): Promise<void> {
    this.#pause();
    process.removeListener('SIGINT', this.#onInterrupt);
  }

  #pause(): void {
    const lines = this.#lines;
    this.#lines = undefined;
    lines?.close();
  }

  async without<Result>(work: () => Promise<Result>): Promise<Result> {
    this.#pause();
    process.removeListener('SIGINT', this.#onInterrupt);
    try {
      return await work();
    } finally {
      this.open();
    }
  }

  #typed(line: string): void {
    const panel = this.#panels.at(-1);
    if (panel !== undefined) {
      // a sentence that was typed for the agent answers nothing
      const keys = line === '' ? ['\r'] : [...line.trim()];
      if (keys.length === 1) panel.key(keys.join(''));
      if (this.#panels.includes(panel)) this.#printPanel(panel);
    } else if (line.trim() !== '') this.#options.events.typed(line, 'steer');
  }

  print(lines: readonly string[]): void {
    for (const line of lines) this.#options.writer.out(`${line}\n`);
  }

  event(event: QueryEvent): void {
    const before = this.#hooks;
    this.#hooks = followHooks(before, event, this.#options.clock.now());
    if (event.type === 'hook_progress') this.#printHooks(before);
    if (event.type === 'tool_start') this.print([`Running ${event.name}: ${event.summary}`]);
    const text = event.type === 'assistant' && !event.apiError ? textOf(event) : '';
    if (text !== '') this.print(['', text, '']);
    this.print(this.#record.see(event));
  }

  /** Those of a stop: others are too many. */
  #printHooks(before: readonly RunningHook[]): void {
    for (const hook of this.#hooks) {
      if (before.includes(hook) || !/Stop|TaskCompleted|TeammateIdle/.test(hook.event)) continue;
      const ended = this.#hooks.filter(({ endedAt }) => endedAt !== undefined).length;
      const count = `${ended} of ${this.#hooks.length} done`;
      this.print([`${hook.event}: ${hook.label}: ${hook.outcome ?? 'running'} (${count})`]);
    }
  }

  check({ name, state }: CheckProgress): void {
    this.print([`Check ${name}: ${state}`]);
  }

  working(isWorking: boolean): void {
    this.#isWorking = isWorking;
    if (isWorking) this.#record.begin();
  }

  notice(text: string): void {
    this.print([this.#options.paint('yellow', text)]);
  }

  suggest(text: string | undefined): void {
    if (text !== undefined) this.print([this.#options.paint('dim', `Suggested prompt: ${text}`)]);
  }

  show(panel: Panel): () => void {
    this.#printPanel(panel);
    if (panel.isText) return () => {};
    this.#panels = [...this.#panels, panel];
    return () => {
      this.#panels = this.#panels.filter((one) => one !== panel);
    };
  }

  #printPanel(panel: Panel): void {
    this.print(panel.lines({ width: WIDTH, height: Number.POSITIVE_INFINITY }));
  }

  showWhole(): void {
    this.print(this.#record.whole());
  }

  isBeingTyped = () => false;
  update(): void {}
  settle(): void {}
  remember(): void {}
  completeWith(): void {}
}
