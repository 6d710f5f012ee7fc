import { ownValue } from '../../system/ownValue.ts';
import type { ClaimRequest, CompleteRequest } from '../claimTypes.ts';
import { DEFAULT_QUEUE } from '../taskDefaults.ts';

export interface Call {
  /** The function, with a place for each of its arguments. */
  readonly text: string;
  readonly values: (string | number | null)[];
}

/**
 * The two operations that are asked for all day have functions of their own, whose arguments need no reading. See
 * `functions/shortWay.ts`; nothing here is built that can be known before.
 */
const SHORT_CALLS: Readonly<Record<string, (request: never) => Call | undefined>> = { claim: claimNext, complete };

export function shortCallOf(operation: string, request: object): Call | undefined {
  const call = ownValue(SHORT_CALLS, operation)?.(request as never);
  return call?.values.every(isKeepable) ? call : undefined;
}

/** What PostgreSQL cannot keep goes the long way, where it is replaced. */
function isKeepable(value: string | number | null): boolean {
  return typeof value !== 'string' || (!value.includes('\0') && value.isWellFormed());
}

const CLAIM_NEXT = 'claim_next($1, $2, $3, $4, $5)';
const COMPLETE_HELD = 'complete_held($1, $2, $3, $4, $5, $6, $7::text::jsonb)';
const COMPLETE_AND_CLAIM = 'complete_and_claim($1, $2, $3, $4, $5, $6, $7::text::jsonb, $8, $9, $10)';

function claimNext(request: ClaimRequest): Call | undefined {
  const { workerId, incarnation, claimKey, queue = DEFAULT_QUEUE, offerMs = null } = request;
  if (!isForAny(request)) return undefined;
  return { text: CLAIM_NEXT, values: [workerId, incarnation, claimKey, queue, offerMs] };
}

function complete({ lease, result, details, next }: CompleteRequest): Call | undefined {
  const { workerId, incarnation, attemptId, epoch, taskId } = lease;
  const values = [workerId, incarnation, attemptId, epoch, taskId, result, details ? JSON.stringify(details) : null];
  if (!next) return { text: COMPLETE_HELD, values };
  if (!isForAny(next)) return undefined;
  values.push(next.claimKey, next.queue ?? DEFAULT_QUEUE, next.offerMs ?? null);
  return { text: COMPLETE_AND_CLAIM, values };
}

function isForAny({ types, taskId }: Omit<ClaimRequest, 'workerId' | 'incarnation'>): boolean {
  return types === undefined && taskId === undefined;
}
