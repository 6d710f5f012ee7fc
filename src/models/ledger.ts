import { addUsage, NO_USAGE, type Usage } from './types.ts';

/** Money for one request; `unknown` when no price is known, which is said and never counted as zero. */
export type Cost = { readonly type: 'usd'; readonly usd: number } | { readonly type: 'unknown' };

/** Who asked: the turn itself, one of its subagents, a hook's judge, a compaction, work after the turn. */
export type SpendSource = 'turn' | 'subagent' | 'compact' | 'hook' | 'background';

export interface SpendEntry {
  readonly source: SpendSource;
  readonly model: string;
  readonly usage: Usage;
  readonly cost: Cost;
  readonly durationMs: number;
}

export interface ModelSpend {
  readonly usage: Usage;
  readonly usd: number;
  readonly requests: number;
  readonly unpricedRequests: number;
}

/**
 * One ledger for a turn and everything it starts. Shared by reference with subagents on purpose: a child's spend is
 * the parent's spend at the moment it happens, so no limit can be walked around by delegating.
 */
export class SpendLedger {
  #total: ModelSpend = EMPTY;
  #apiMs = 0;
  #turnOutputTokens = 0;
  readonly #byModel = new Map<string, ModelSpend>();

  record(entry: SpendEntry): void {
    this.#total = add(this.#total, entry);
    this.#apiMs += entry.durationMs;
    if (COUNTS_FOR_TURN.has(entry.source)) this.#turnOutputTokens += entry.usage.outputTokens;
    this.#byModel.set(entry.model, add(this.#byModel.get(entry.model) ?? EMPTY, entry));
  }

  get total(): ModelSpend {
    return this.#total;
  }

  /** What turns and their subagents wrote: judges, summaries and work after the turn are not the agent's own. */
  get turnOutputTokens(): number {
    return this.#turnOutputTokens;
  }

  get apiMs(): number {
    return this.#apiMs;
  }

  byModel(): ReadonlyMap<string, ModelSpend> {
    return this.#byModel;
  }
}

const COUNTS_FOR_TURN: ReadonlySet<SpendSource> = new Set(['turn', 'subagent']);

const EMPTY: ModelSpend = { usage: NO_USAGE, usd: 0, requests: 0, unpricedRequests: 0 };

function add(spend: ModelSpend, entry: SpendEntry): ModelSpend {
  return {
    usage: addUsage(spend.usage, entry.usage),
    usd: spend.usd + (entry.cost.type === 'usd' ? entry.cost.usd : 0),
    requests: spend.requests + 1,
    unpricedRequests: spend.unpricedRequests + (entry.cost.type === 'unknown' ? 1 : 0),
  };
}
