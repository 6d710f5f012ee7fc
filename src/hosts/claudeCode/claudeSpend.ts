import type { CostOf } from '../../models/prices.ts';
import { type AssistantLine, type ResultLine, readSpendLine, type SpendLine, type Usage } from './claudeSpendLines.ts';

/** What an agent has spent since it was launched, as far as its stream shows it. */
export interface Spend {
  readonly outputTokens: number;
  /** Null when no price is known for what it used. */
  readonly usd: number | null;
  /** Present while part of the count is a guess from the length of what was written. */
  readonly estimated?: true;
}

interface Message {
  readonly model: string;
  readonly usage: Usage;
  /** Characters seen so far; the guess for a message whose final count the stream never carries. */
  readonly characters: number;
  /** `none`: no delta will come; `coming`: `message_start` was seen; `here`: the count is exact. */
  readonly delta: 'none' | 'coming' | 'here';
}

const EMPTY: Message = { model: '', usage: {}, characters: 0, delta: 'none' };
const CHARACTERS_PER_TOKEN = 4;
const LONGEST_LINE = 50_000_000;

/**
 * Reads Claude Code's `stream-json` as it passes by. Measured on 2.1.325:
 *
 * - `assistant` lines repeat the usage of `message_start`: an output of 1 token, whatever was written.
 * - `message_delta` has the real count. It comes with `--include-partial-messages` only, and never for a subagent.
 * - `result` comes once per turn, so several times per run. `usage` is of that turn's main conversation; `modelUsage` and
 *   `total_cost_usd` also have subagents and side requests, but begin before the launch when a session is continued, and
 *   again after `/clear`; `model_usage_since_last_result` is neither, so the sum of those is what the launch spent.
 *
 * So: all results together, plus the messages that came after the last one.
 */
export class ClaudeSpend {
  readonly #costOf: CostOf;
  readonly #messages = new Map<string, Message>();
  /** Counted by a result already; a late line must not count them again. */
  readonly #settled = new Set<string>();
  #settledTokens = 0;
  #settledUsd: number | null = 0;
  #lastTotals: ResultLine['totals'] = { outputTokens: 0, usd: 0 };
  #streaming = '';
  #overBudget: string | undefined;
  #rest = '';

  constructor(costOf: CostOf) {
    this.#costOf = costOf;
  }

  /** Returns whether anything was counted. */
  push(chunk: string): boolean {
    const lines = (this.#rest + chunk).split('\n');
    this.#rest = lines.pop() ?? '';
    // a line that never ends is not the stream's
    if (this.#rest.length > LONGEST_LINE) this.#rest = '';
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
    // the exact count is there, or this is the usage of message_start once more
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

  /** Its sentence, when its last turn ended because its own limit of money was used. */
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

/** For versions without `model_usage_since_last_result`; a total that got smaller began again. */
function difference(now: ResultLine['totals'], before: ResultLine['totals']): ResultLine['totals'] {
  if (now.outputTokens < before.outputTokens) return now;
  const usd = now.usd === null || before.usd === null ? now.usd : Math.max(0, now.usd - before.usd);
  return { outputTokens: now.outputTokens - before.outputTokens, usd };
}

const sum = (a: number | null, b: number | null) => (a === null || b === null ? null : a + b);
