import type { CostOf } from '../../models/prices.ts';
import type { Spend, SpendReader } from '../host.ts';
import { type AssistantLine, type ResultLine, readSpendLine, type SpendLine, type Usage } from './claudeSpendLines.ts';

interface Message {
  readonly model: string;
  readonly usage: Usage;
  /** Characters so far: the estimate for a message whose final count the stream never contains. */
  readonly characters: number;
  /** `none`: no delta will come; `coming`: `message_start` was seen; `here`: the count is exact. */
  readonly delta: 'none' | 'coming' | 'here';
}

const EMPTY: Message = { model: '', usage: {}, characters: 0, delta: 'none' };
const CHARACTERS_PER_TOKEN = 4;
const LONGEST_LINE = 50_000_000;

/**
 * Reads the spending in Claude Code's `stream-json`. Measured on 2.1.325:
 *
 * - `assistant` lines repeat the usage of `message_start`: an output of 1 token, whatever its length.
 * - `message_delta` has the real count. It comes with `--include-partial-messages` only, and never for a subagent.
 * - `result` comes once per turn, so several times per run. `usage` covers that turn's main conversation; `modelUsage` and
 *   `total_cost_usd` also cover subagents and side requests, but include earlier spending of a continued session and start
 *   again after `/clear`; `model_usage_since_last_result` does neither, so its sum is what the launch spent.
 *
 * So: all results together, plus the messages that came after the last one.
 */
export class ClaudeSpend implements SpendReader {
  readonly #costOf: CostOf;
  readonly #messages = new Map<string, Message>();
  /** Already counted by a result; a late line must not count them again. */
  readonly #settled = new Set<string>();
  #settledTokens = 0;
  #settledUsd: number | null = 0;
  #lastTotals: ResultLine['totals'] = { outputTokens: 0, usd: 0 };
  #streaming = '';
  #overBudget: string | undefined;
  #partial = '';

  constructor(costOf: CostOf) {
    this.#costOf = costOf;
  }

  push(chunk: string): boolean {
    const lines = (this.#partial + chunk).split('\n');
    this.#partial = lines.pop() ?? '';
    // a line that never ends is not part of the stream
    if (this.#partial.length > LONGEST_LINE) this.#partial = '';
    let counted = false;
    for (const line of lines.flatMap(readSpendLine)) {
      this.#read(line);
      counted = true;
    }
    return counted;
  }

  #read(line: SpendLine): void {
    if (line.type === 'result') this.#settle(line);
    else if (line.type === 'delta') this.#finish(this.#streaming, line.usage);
    else if (line.type === 'agentEnd') this.#count(line.id, { model: line.model, usage: line.usage, delta: 'here' });
    else if (line.type === 'start') {
      this.#streaming = line.id;
      this.#count(line.id, { model: line.model, usage: line.usage, delta: 'coming' });
    } else this.#countAssistant(line);
  }

  #count(id: string, part: Partial<Message>): void {
    if (this.#settled.has(id)) return;
    this.#messages.set(id, { ...(this.#messages.get(id) ?? EMPTY), ...part });
  }

  #countAssistant({ id, model, usage, characters }: AssistantLine): void {
    const before = this.#messages.get(id) ?? EMPTY;
    // keeps an exact count: this line only repeats the usage of message_start
    const counted = before.delta === 'here' ? before.usage : usage;
    this.#count(id, { model, usage: counted, characters: before.characters + characters });
  }

  #finish(id: string, usage: Usage): void {
    const message = this.#messages.get(id);
    if (message) this.#messages.set(id, { ...message, usage: { ...message.usage, ...usage }, delta: 'here' });
  }

  #settle({ sinceLast, totals, overBudget }: ResultLine): void {
    this.#overBudget = overBudget;
    const part = sinceLast ?? difference(totals, this.#lastTotals);
    this.#lastTotals = totals;
    this.#settledTokens += part.outputTokens;
    this.#settledUsd = sum(this.#settledUsd, part.usd);
    for (const [id, { delta }] of this.#messages) {
      // still being written: its count is in the next result
      if (delta === 'coming' && id === this.#streaming) continue;
      this.#messages.delete(id);
      this.#settled.add(id);
    }
  }

  get overBudget(): string | undefined {
    return this.#overBudget;
  }

  get spend(): Spend {
    const open = [...this.#messages.values()];
    const outputTokens = open.reduce((all, message) => all + tokensOf(message), this.#settledTokens);
    const usd = open.reduce((all, message) => sum(all, this.#priceOf(message)), this.#settledUsd);
    const estimated = open.some((message) => tokensOf(message) > (message.usage.output ?? 0));
    return { outputTokens, usd, ...(estimated && { estimated }) };
  }

  #priceOf(message: Message): number | null {
    const { input = 0, cacheRead = 0, cacheWrite = 0 } = message.usage;
    const cost = this.#costOf(message.model, {
      inputTokens: input,
      outputTokens: tokensOf(message),
      cacheReadTokens: cacheRead,
      cacheWriteTokens: cacheWrite,
    });
    return cost.type === 'usd' ? cost.usd : null;
  }
}

function tokensOf({ usage, characters, delta }: Message): number {
  const reported = usage.output ?? 0;
  return delta === 'none' ? Math.max(reported, Math.round(characters / CHARACTERS_PER_TOKEN)) : reported;
}

/** For versions without `model_usage_since_last_result`; a smaller total has started again. */
function difference(now: ResultLine['totals'], before: ResultLine['totals']): ResultLine['totals'] {
  if (now.outputTokens < before.outputTokens) return now;
  const usd = now.usd === null || before.usd === null ? now.usd : Math.max(0, now.usd - before.usd);
  return { outputTokens: now.outputTokens - before.outputTokens, usd };
}

const sum = (a: number | null, b: number | null) => (a === null || b === null ? null : a + b);
