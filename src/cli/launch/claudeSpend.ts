import type { CostOf } from '../../models/prices.ts';

/** What an agent has spent so far, as far as it tells. */
export interface Spend {
  readonly outputTokens: number;
  /** Null when no price is known for what it used. */
  readonly usd: number | null;
}

interface Counted {
  readonly model: string;
  readonly usage: Readonly<Record<string, unknown>>;
}

/**
 * Reads Claude Code's `stream-json` as it passes by. A message is told in several lines, each with the whole usage so
 * far: it is counted once, by its last line. The result's own total is the truth when it comes.
 */
export class ClaudeSpend {
  readonly #costOf: CostOf;
  readonly #messages = new Map<string, Counted>();
  #total: number | null = null;
  #rest = '';

  constructor(costOf: CostOf) {
    this.#costOf = costOf;
  }

  push(chunk: string): void {
    const lines = (this.#rest + chunk).split('\n');
    this.#rest = lines.pop() ?? '';
    // a line that never ends is not the stream's
    if (this.#rest.length > LONGEST_LINE) this.#rest = '';
    for (const line of lines) if (line.startsWith('{')) this.#read(line);
  }

  #read(line: string): void {
    const event = parsed(line);
    if (event?.type === 'result' && typeof event.total_cost_usd === 'number') this.#total = event.total_cost_usd;
    const message = event?.type === 'assistant' ? (event.message as Message | undefined) : undefined;
    if (typeof message?.id === 'string' && typeof message.usage === 'object' && message.usage !== null) {
      this.#messages.set(message.id, { model: String(message.model), usage: message.usage as Counted['usage'] });
    }
  }

  get spend(): Spend {
    const all = [...this.#messages.values()];
    const outputTokens = all.reduce((sum, { usage }) => sum + count(usage.output_tokens), 0);
    if (this.#total !== null) return { outputTokens, usd: this.#total };
    const costs = all.map((one) => this.#costOf(one.model, usageOf(one)));
    const isKnown = costs.every(({ type }) => type === 'usd');
    return {
      outputTokens,
      usd: isKnown ? costs.reduce((sum, cost) => sum + (cost.type === 'usd' ? cost.usd : 0), 0) : null,
    };
  }
}

const LONGEST_LINE = 50_000_000;

interface Message {
  readonly id?: unknown;
  readonly model?: unknown;
  readonly usage?: unknown;
}

function usageOf({ usage }: Counted) {
  return {
    inputTokens: count(usage.input_tokens),
    outputTokens: count(usage.output_tokens),
    cacheReadTokens: count(usage.cache_read_input_tokens),
    cacheWriteTokens: count(usage.cache_creation_input_tokens),
  };
}

const count = (value: unknown) => (typeof value === 'number' && value > 0 ? value : 0);

function parsed(line: string): Readonly<Record<string, unknown>> | null {
  try {
    return JSON.parse(line) as Readonly<Record<string, unknown>>;
  } catch {
    return null;
  }
}
