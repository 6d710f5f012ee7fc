import { addUsage, NO_USAGE, type Usage } from './types.ts';

/** The cost of one request. `unknown` without a known price: reported, never counted as zero. */
export type Cost = { readonly type: 'usd'; readonly usd: number } | { readonly type: 'unknown' };

/** What made the request: the turn, a subagent, a compaction, a hook's judge, the judge of a verification, or work after the turn. */
type SpendSource = 'turn' | 'subagent' | 'compact' | 'hook' | 'judge' | 'background';

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

/** Nothing spent yet. */
const NOTHING: ModelSpend = { usage: NO_USAGE, usd: 0, requests: 0, unpricedRequests: 0, estimatedRequests: 0 };

/**
 * One ledger for a turn and everything it starts. Subagents share it by reference, so that delegating cannot evade a
 * limit.
 */
export class SpendLedger {
  #total = NOTHING;
  #apiMs = 0;
  #turnOutputTokens = 0;
  readonly #byModel = new Map<string, ModelSpend>();
  readonly #bySource = new Map<SpendSource, number>();
  #reservedUsd = 0;
  readonly #waiting = new Set<() => void>();
  readonly #onRecord: ((ledger: SpendLedger) => void) | undefined;

  /** `onRecord` is called after each entry. */
  constructor(onRecord?: (ledger: SpendLedger) => void) {
    this.#onRecord = onRecord;
  }

  record(entry: SpendEntry): void {
    this.#apiMs += entry.durationMs;
    if (COUNTS_FOR_TURN.has(entry.source)) this.#turnOutputTokens += entry.usage.outputTokens;
    this.#total = withEntry(this.#total, entry);
    this.#byModel.set(entry.model, withEntry(this.#byModel.get(entry.model) ?? NOTHING, entry));
    const usd = entry.cost.type === 'usd' ? entry.cost.usd : 0;
    this.#bySource.set(entry.source, (this.#bySource.get(entry.source) ?? 0) + usd);
    this.#onRecord?.(this);
  }

  /** For a request that is about to be sent; returns what frees it when the request has ended. */
  reserve(usd: number): () => void {
    this.#reservedUsd += usd;
    let isHeld = true;
    return () => {
      if (!isHeld) return;
      isHeld = false;
      this.#reservedUsd -= usd;
      for (const wake of [...this.#waiting]) wake();
    };
  }

  get reservedUsd(): number {
    // the sum of many small numbers must not leave a rest that is waited for
    return this.#reservedUsd < 1e-9 ? 0 : this.#reservedUsd;
  }

  /** Resolves when a reservation ends, or when the signal aborts. */
  released(signal: AbortSignal): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    const wake = () => {
      this.#waiting.delete(wake);
      signal.removeEventListener('abort', wake);
      resolve();
    };
    this.#waiting.add(wake);
    signal.addEventListener('abort', wake, { once: true });
    return promise;
  }

  get total(): ModelSpend {
    return this.#total;
  }

  get totalUsd(): number {
    return this.#total.usd;
  }

  /** Includes judges and work after the turn. */
  get totalOutputTokens(): number {
    return this.#total.usage.outputTokens;
  }

  /** The output of turns and their subagents, without judges, summaries and work after the turn. */
  get turnOutputTokens(): number {
    return this.#turnOutputTokens;
  }

  get apiMs(): number {
    return this.#apiMs;
  }

  /** In US dollars, without requests whose price is not known. */
  bySource(): ReadonlyMap<string, number> {
    return new Map(this.#bySource);
  }

  byModel(): ReadonlyMap<string, ModelSpend> {
    return new Map(this.#byModel);
  }
}

const COUNTS_FOR_TURN: ReadonlySet<SpendSource> = new Set(['turn', 'subagent']);

function withEntry(sum: ModelSpend, { usage, cost, estimated }: SpendEntry): ModelSpend {
  return {
    usage: addUsage(sum.usage, usage),
    usd: sum.usd + (cost.type === 'usd' ? cost.usd : 0),
    requests: sum.requests + 1,
    unpricedRequests: sum.unpricedRequests + (cost.type === 'usd' ? 0 : 1),
    estimatedRequests: sum.estimatedRequests + (estimated ? 1 : 0),
  };
}
