import type { SpendLedger } from './ledger.ts';
import type { CostOf } from './prices.ts';
import { estimateInput } from './replyMeter.ts';
import { type Asking, type WholeReply, wholeReply } from './retries.ts';
import { type Model, type ModelRequest, NO_USAGE, type Usage } from './types.ts';

/** A shorter answer is not worth a request. */
const LEAST_OUTPUT_TOKENS = 256;

export interface ReservationFacts {
  readonly maxUsd: number;
  readonly spentUsd: number;
  /** For requests that are under way. */
  readonly reservedUsd: number;
  /** Of the next request, without its answer. */
  readonly inputUsd: number;
  readonly outputUsdPerToken: number;
  readonly maxOutputTokens: number;
}

export type ReservationDecision =
  | { readonly type: 'reserve'; readonly usd: number; readonly outputTokens: number }
  /** Requests under way may leave enough. */
  | { readonly type: 'wait' }
  | { readonly type: 'refuse'; readonly leastUsd: number };

/** Whether a request fits into what is left of the budget, and how long its answer may get. */
export function decideReservation(facts: ReservationFacts): ReservationDecision {
  const { maxUsd, spentUsd, reservedUsd, inputUsd, outputUsdPerToken: perToken, maxOutputTokens } = facts;
  const leastUsd = inputUsd + perToken * Math.min(LEAST_OUTPUT_TOKENS, maxOutputTokens);
  const left = maxUsd - spentUsd - reservedUsd;
  if (leastUsd > left)
    return reservedUsd > 0 && leastUsd <= maxUsd - spentUsd ? { type: 'wait' } : { type: 'refuse', leastUsd };
  const affordable = perToken === 0 ? maxOutputTokens : Math.floor((left - inputUsd) / perToken);
  const outputTokens = Math.min(maxOutputTokens, affordable);
  return { type: 'reserve', usd: inputUsd + outputTokens * perToken, outputTokens };
}

/** Where money is taken from: one ledger for a turn and everything it starts. */
export interface Budget {
  readonly ledger: SpendLedger;
  readonly costOf: CostOf;
  /** Undefined: without a limit. */
  readonly maxUsd: number | undefined;
}

export type Reservation =
  | ({
      readonly type: 'reserved';
      /** Set when the answer must be shorter than the model permits. */
      readonly maxOutputTokens?: number;
    } & Disposable)
  | { readonly type: 'refused'; readonly leastUsd: number };

/** Nothing is reserved. */
export const UNLIMITED: Reservation = { type: 'reserved', [Symbol.dispose]: () => {} };

/**
 * Reserves what a request can cost at most, before it is sent; its end frees the reservation, and the ledger has what it did cost.
 * Waits while only requests under way are in the way. A model without a known price cannot be counted, so nothing is reserved.
 */
export async function reserve(
  model: Pick<Model, 'id' | 'maxOutputTokens'>,
  request: ModelRequest,
  { ledger, costOf, maxUsd, expectedInput }: Budget & { readonly expectedInput?: Usage | undefined },
): Promise<Reservation> {
  if (maxUsd === undefined) return UNLIMITED;
  const input = expectedInput ?? { ...NO_USAGE, inputTokens: estimateInput(request) };
  const maxOutputTokens = request.maxOutputTokens ?? model.maxOutputTokens;
  const [front, whole] = [costOf(model.id, input), costOf(model.id, { ...input, outputTokens: maxOutputTokens })];
  if (front.type === 'unknown' || whole.type === 'unknown') return UNLIMITED;
  const outputUsdPerToken = (whole.usd - front.usd) / maxOutputTokens;
  while (true) {
    const facts = { maxUsd, spentUsd: ledger.totalUsd, reservedUsd: ledger.reservedUsd, inputUsd: front.usd };
    const decision = decideReservation({ ...facts, outputUsdPerToken, maxOutputTokens });
    if (decision.type === 'refuse') return { type: 'refused', leastUsd: decision.leastUsd };
    // an aborted turn ends its own request next, so it need not be sent anywhere else
    if (decision.type === 'wait' && !request.signal.aborted) await ledger.released(request.signal);
    else if (decision.type === 'wait') return UNLIMITED;
    else {
      const { usd, outputTokens } = decision;
      const isCut = outputTokens < maxOutputTokens;
      return {
        type: 'reserved',
        ...(isCut && { maxOutputTokens: outputTokens }),
        [Symbol.dispose]: ledger.reserve(usd),
      };
    }
  }
}

/** A whole reply within a budget: refused before it is sent when it does not fit. */
export async function wholeReplyWithin(
  budget: Pick<Budget, 'maxUsd'>,
  { model, request }: { readonly model: Model; readonly request: ModelRequest },
  asking: Omit<Asking, 'ledger'> & Pick<Budget, 'ledger'>,
): Promise<WholeReply> {
  const held = await reserve(model, request, { ...asking, ...budget });
  if (held.type === 'refused') {
    const message = `The request was not sent: it costs at least about $${held.leastUsd.toFixed(4)}, which is more than is left of the budget (--max-budget-usd).`;
    return { type: 'failed', failure: { errorClass: 'invalid_request', message, retryable: false } };
  }
  using _held = held;
  const { maxOutputTokens } = held;
  return await wholeReply(model, { ...request, ...(maxOutputTokens !== undefined && { maxOutputTokens }) }, asking);
}
