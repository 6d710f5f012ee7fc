import type { Usage } from './types.ts';

/** The cost of one request. `unknown` without a known price: reported, never counted as zero. */
export type Cost = { readonly type: 'usd'; readonly usd: number } | { readonly type: 'unknown' };

/** What made the request: the turn, a subagent, a compaction, a hook's judge, or work after the turn. */
type SpendSource = 'turn' | 'subagent' | 'compact' | 'hook' | 'background';

export interface SpendEntry {
  readonly source: SpendSource;
  readonly model: string;
  readonly usage: Usage;
  readonly cost: Cost;
  readonly durationMs: number;
  /** The reply broke off, so its tokens are partly estimated. */
  readonly estimated?: boolean;
}

export interface ModelSpend {
  readonly usage: Usage;
  readonly usd: number;
  readonly requests: number;
  readonly unpricedRequests: number;
  /** Replies that broke off, whose tokens are estimated. */
  readonly estimatedRequests: number;
}

/**
 * One ledger for a turn and everything it starts. Subagents share it by reference, so that delegating cannot evade a
 * limit.
 */
export class SpendLedger {
  readonly #total = new RunningSum();
  #apiMs = 0;
  #turnOutputTokens = 0;
  readonly #byModel = new Map<string, RunningSum>();

  readonly #onRecord: ((ledger: SpendLedger) => void) | undefined;

  /** `onRecord` is called after each entry. */
  constructor(onRecord?: (ledger: SpendLedger) => void) {
    this.#onRecord = onRecord;
  }

  record(entry: SpendEntry): void {
    this.#apiMs += entry.durationMs;
    if (COUNTS_FOR_TURN.has(entry.source)) this.#turnOutputTokens += entry.usage.outputTokens;
    this.#total.add(entry);
    this.#sumOf(entry.model).add(entry);
    this.#onRecord?.(this);
  }

  #sumOf(model: string): RunningSum {
    const known = this.#byModel.get(model);
    if (known) return known;
    const made = new RunningSum();
    this.#byModel.set(model, made);
    return made;
  }

  get total(): ModelSpend {
    return this.#total.spend();
  }

  get totalUsd(): number {
    return this.#total.usd;
  }

  /** Includes judges and work after the turn. */
  get totalOutputTokens(): number {
    return this.#total.outputTokens;
  }

  /** The output of turns and their subagents, without judges, summaries and work after the turn. */
  get turnOutputTokens(): number {
    return this.#turnOutputTokens;
  }

  get apiMs(): number {
    return this.#apiMs;
  }

  byModel(): ReadonlyMap<string, ModelSpend> {
    return new Map([...this.#byModel].map(([model, sum]) => [model, sum.spend()]));
  }
}

const COUNTS_FOR_TURN: ReadonlySet<SpendSource> = new Set(['turn', 'subagent']);

/** Adds up in place, to avoid garbage at each step. */
class RunningSum {
  usd = 0;
  #requests = 0;
  #unpricedRequests = 0;
  #estimatedRequests = 0;
  #inputTokens = 0;
  outputTokens = 0;
  #cacheReadTokens = 0;
  #cacheWriteTokens = 0;

  add({ usage, cost, estimated }: SpendEntry): void {
    this.#requests += 1;
    if (estimated) this.#estimatedRequests += 1;
    if (cost.type === 'usd') this.usd += cost.usd;
    else this.#unpricedRequests += 1;
    this.#inputTokens += usage.inputTokens;
    this.outputTokens += usage.outputTokens;
    this.#cacheReadTokens += usage.cacheReadTokens;
    this.#cacheWriteTokens += usage.cacheWriteTokens;
  }

  spend(): ModelSpend {
    return {
      usage: {
        inputTokens: this.#inputTokens,
        outputTokens: this.outputTokens,
        cacheReadTokens: this.#cacheReadTokens,
        cacheWriteTokens: this.#cacheWriteTokens,
      },
      usd: this.usd,
      requests: this.#requests,
      unpricedRequests: this.#unpricedRequests,
      estimatedRequests: this.#estimatedRequests,
    };
  }
}
