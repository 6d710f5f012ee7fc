import type { Clock } from '../system/clock.ts';
import type { Environment } from '../system/environment.ts';
import type { SpendEntry, SpendLedger } from './ledger.ts';
import type { CostOf } from './prices.ts';
import { ReplyMeter } from './replyMeter.ts';
import type { AssistantBlock, Model, ModelFailure, ModelRequest, StopReason, Usage } from './types.ts';

const BASE_MS = 500;
const CAP_MS = 32_000;
/** Longer waits are not worth it: the request fails instead. */
const LONGEST_RETRY_AFTER_MS = 10 * 60_000;
const DEFAULT_MAX_RETRIES = 10;

/** The wait before retry `attempt` (1 is the first): the provider's `retry-after`, else doubling with jitter. */
function retryDelayMs(attempt: number, retryAfterMs: number | undefined, random: number): number {
  if (retryAfterMs !== undefined) return Math.ceil(retryAfterMs);
  const doubled = Math.min(CAP_MS, BASE_MS * 2 ** (attempt - 1));
  // Up to a quarter less, so that agents that failed together do not retry together.
  return Math.round(doubled * (1 - random / 4));
}

export type RetryDecision =
  | { readonly type: 'retry'; readonly delayMs: number }
  | { readonly type: 'give-up'; readonly failure: ModelFailure };

/** Whether to repeat a failed request; `attempt` is the number of that retry. */
export function decideRetry(facts: {
  readonly failure: ModelFailure;
  readonly attempt: number;
  readonly maxRetries: number;
  readonly random: number;
}): RetryDecision {
  const { failure, attempt, maxRetries, random } = facts;
  if (!failure.retryable) return { type: 'give-up', failure };
  const { retryAfterMs } = failure;
  if (retryAfterMs !== undefined && retryAfterMs > LONGEST_RETRY_AFTER_MS) {
    const requested = Math.ceil(retryAfterMs / 60_000);
    const limit = LONGEST_RETRY_AFTER_MS / 60_000;
    const message = `${failure.message}; not retried, because the provider requires a wait of ${requested}m and the longest wait is ${limit}m`;
    return { type: 'give-up', failure: { ...failure, message } };
  }
  if (attempt > maxRetries) {
    const after = maxRetries === 0 ? '' : `; gave up after ${maxRetries} ${maxRetries === 1 ? 'retry' : 'retries'}`;
    return { type: 'give-up', failure: { ...failure, message: `${failure.message}${after}` } };
  }
  return { type: 'retry', delayMs: retryDelayMs(attempt, retryAfterMs, random) };
}

/** A request that is answered as a whole, and where its cost is recorded. */
export interface Asking {
  readonly clock: Clock;
  /** From 0 up to 1. */
  readonly random: () => number;
  readonly maxRetries: number;
  /** True when no budget is left for a retry. */
  readonly isSpent?: () => boolean;
  readonly source: SpendEntry['source'];
  readonly ledger: Pick<SpendLedger, 'record'>;
  readonly costOf: CostOf;
}

export type WholeReply =
  | { readonly type: 'ok'; readonly content: readonly AssistantBlock[]; readonly stopReason: StopReason }
  | { readonly type: 'failed'; readonly failure: ModelFailure }
  /** Also during a wait. */
  | { readonly type: 'aborted' };

/**
 * One reply as a whole, without its pieces, requested again after temporary failures. What broke off on the way to it is
 * recorded too.
 */
export async function wholeReply(model: Model, request: ModelRequest, asking: Asking): Promise<WholeReply> {
  const { clock, ledger, costOf, source, random, maxRetries, isSpent = () => false } = asking;
  const startedAt = clock.now();
  const record = (usage: Usage, estimated: boolean) => {
    const cost = costOf(model.id, usage);
    ledger.record({ source, model: model.id, usage, cost, durationMs: clock.now() - startedAt, estimated });
  };
  for (let attempt = 1; ; attempt++) {
    const content: AssistantBlock[] = [];
    const meter = new ReplyMeter();
    let failure: ModelFailure | undefined;
    for await (const event of model.stream(request)) {
      meter.see(event);
      if (event.type === 'block') content.push(event.block);
      if (event.type === 'failed') failure = event.failure;
      if (event.type !== 'finish') continue;
      record(event.usage, false);
      return { type: 'ok', content, stopReason: event.stopReason };
    }
    const broken = meter.brokenOff(request);
    if (broken) record(broken, true);
    if (!failure || request.signal.aborted) return { type: 'aborted' };
    const triesLeft = isSpent() ? 0 : maxRetries;
    const decision = decideRetry({ failure, attempt, maxRetries: triesLeft, random: random() });
    if (decision.type === 'give-up') return { type: 'failed', failure: decision.failure };
    await clock.sleep(decision.delayMs, request.signal);
    if (request.signal.aborted) return { type: 'aborted' };
  }
}

const VARIABLES = ['STOPGATE_MAX_RETRIES', 'CLAUDE_CODE_MAX_RETRIES'] as const;

/** The configured number of retries. A value that is not a number is ignored, with a `warning`. */
export function maxRetries(env: Environment): { readonly maxRetries: number; readonly warning?: string } {
  const name = VARIABLES.find((variable) => (env[variable] ?? '') !== '');
  if (!name) return { maxRetries: DEFAULT_MAX_RETRIES };
  const raw = env[name] ?? '';
  if (/^\d{1,4}$/.test(raw.trim())) return { maxRetries: Number(raw) };
  const warning = `${name} is '${raw}', which is not a whole number from 0 to 9999; using ${DEFAULT_MAX_RETRIES}`;
  return { maxRetries: DEFAULT_MAX_RETRIES, warning };
}
