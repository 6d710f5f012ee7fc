import type { QueryEvent } from '../../../../query/events.ts';
import type { CheckProgress } from '../../../../stop/checks/types.ts';
import type { Clock } from '../../../../system/clock.ts';
import { formatSeconds } from '../../../../system/formatDuration.ts';
import type { Paint } from '../../../output/colors.ts';
import { oneLine } from '../../../output/visibleText.ts';
import { areRunning, followCheck, followHooks, gateLines, type RunningCheck, type RunningHook } from './gateLines.ts';

interface RunningTool {
  readonly title: string;
  readonly startedAt: number;
  /** What a subagent does now. */
  readonly latest?: string;
}

/** What runs now: tools, the hooks of an event, the checks of a stop. */
export class LiveWork {
  readonly #paint: Paint;
  readonly #clock: Clock;
  readonly #tools = new Map<string, RunningTool>();
  #hooks: readonly RunningHook[] = [];
  #checks: readonly RunningCheck[] = [];
  #since: number | null = null;

  constructor(paint: Paint, clock: Clock) {
    this.#paint = paint;
    this.#clock = clock;
  }

  get isWorking(): boolean {
    return this.#since !== null;
  }

  working(isWorking: boolean): void {
    this.#since = isWorking ? this.#clock.now() : null;
    this.#tools.clear();
    this.#hooks = [];
    this.#checks = [];
  }

  check(progress: CheckProgress): void {
    this.#checks = followCheck(this.#checks, progress, this.#clock.now());
  }

  see(event: QueryEvent): void {
    this.#hooks = followHooks(this.#hooks, event, this.#clock.now());
    if (!areRunning(this.#hooks)) this.#checks = [];
    if (event.type === 'tool_start') {
      const title = `${this.#paint('bold', event.name)} ${oneLine(event.summary, 200)}`;
      this.#tools.set(event.toolUseId, { title, startedAt: this.#clock.now() });
    }
    if (event.type === 'progress') this.#progress(event.toolUseId, event.data);
    if (event.type === 'user') this.#ended(event);
  }

  #progress(id: string, { type, message }: Readonly<Record<string, unknown>>): void {
    const tool = this.#tools.get(id);
    if (tool === undefined || type !== 'agent_message') return;
    const latest = latestOf(message as Extract<QueryEvent, { type: 'assistant' }>);
    if (latest !== undefined) this.#tools.set(id, { ...tool, latest });
  }

  #ended({ message: { content } }: Extract<QueryEvent, { type: 'user' }>): void {
    if (typeof content === 'string') return;
    for (const block of content) if (block.type === 'tool_result') this.#tools.delete(block.tool_use_id);
  }

  /** `isAsked`: it waits for the person's answer. */
  lines(isAsked: boolean): readonly string[] {
    const now = this.#clock.now();
    const tools = [...this.#tools.values()].map(({ title, startedAt, latest }) => {
      const doing = latest === undefined ? '' : this.#paint('dim', ` · ${oneLine(latest, 80)}`);
      return `${this.#paint('cyan', '●')} ${title} · ${formatSeconds(now - startedAt)}${doing}`;
    });
    const gates = gateLines(this.#hooks, this.#checks, { paint: this.#paint, now });
    return [...tools, ...gates, ...this.#status(now, isAsked)];
  }

  #status(now: number, isAsked: boolean): readonly string[] {
    if (this.#since === null) return [];
    if (isAsked) return [this.#paint('yellow', '* waiting for you')];
    const doing = areRunning(this.#hooks) ? 'running hooks' : this.#tools.size > 0 ? 'running tools' : 'thinking';
    const isStop = this.#hooks[0]?.event === 'Stop' && areRunning(this.#hooks);
    return [this.#paint('cyan', `* ${isStop ? 'checking the stop' : doing} · ${formatSeconds(now - this.#since)}`)];
  }
}

/** The latest call or words of a subagent's answer. */
function latestOf({ type, message }: Extract<QueryEvent, { type: 'assistant' }>): string | undefined {
  if (type !== 'assistant') return undefined;
  const block = message.content.findLast((one) => one.type === 'tool_use' || one.type === 'text');
  if (block?.type === 'tool_use') return `${block.name} ${JSON.stringify(block.input)}`;
  return block?.type === 'text' ? block.text : undefined;
}
