import { ownValue } from '../../system/ownValue.ts';
import type { Requests } from '../requests.ts';
import { inSnakeCase } from '../snakeCase.ts';
import { DEFAULT_QUEUE } from '../taskDefaults.ts';

export interface Call {
  /** The function call in the database, with placeholders for its arguments. */
  readonly text: string;
  readonly values: (string | number | null)[];
}

/** The function that handles every case of an operation. */
export function fullCallOf(operation: string, request: object): Call {
  return { text: `${inSnakeCase(operation)}($1::text::jsonb)`, values: [requestText(request)] };
}

/** JSON that PostgreSQL can store: it has no NUL in texts, and no half of a surrogate pair. */
export function requestText(request: object): string {
  const text = JSON.stringify(request);
  return /\\u(0000|d[89ab])/i.test(text) ? JSON.stringify(request, (_, value) => storable(value)) : text;
}

function storable(value: unknown): unknown {
  return typeof value === 'string' ? value.replaceAll('\0', '\u{fffd}').toWellFormed() : value;
}

/**
 * The two most frequent operations have their own functions for the ordinary case, see `sql/shortCalls.sql`. Their arguments need
 * no parsing, and their texts are constants.
 */
const SHORT_CALLS: Readonly<Record<string, (request: never) => Call | undefined>> = { claim: claimNext, complete };

export function shortCallOf(operation: string, request: object): Call | undefined {
  const call = ownValue(SHORT_CALLS, operation)?.(request as never);
  return call?.values.every(isStorable) ? call : undefined;
}

function isStorable(value: string | number | null): boolean {
  return typeof value !== 'string' || (!value.includes('\0') && value.isWellFormed());
}

const CLAIM_NEXT = 'claim_next($1, $2, $3, $4, $5)';
const COMPLETE_AND_CLAIM = 'complete_and_claim($1, $2, $3, $4, $5, $6, $7::text::jsonb, $8, $9, $10)';

function claimNext(request: Requests['claim']): Call | undefined {
  const { workerId, incarnation, claimKey, queue = DEFAULT_QUEUE, offerMs = null } = request;
  if (!isForAny(request)) return undefined;
  return { text: CLAIM_NEXT, values: [workerId, incarnation, claimKey, queue, offerMs] };
}

function complete({ lease, result, details, next }: Requests['complete']): Call | undefined {
  const { workerId, incarnation, attemptId, epoch, taskId } = lease;
  if (next && !isForAny(next)) return undefined;
  const settled = [workerId, incarnation, attemptId, epoch, taskId, result, details ? JSON.stringify(details) : null];
  const claimed = next ? [next.claimKey, next.queue ?? DEFAULT_QUEUE, next.offerMs ?? null] : [null, null, null];
  return { text: COMPLETE_AND_CLAIM, values: [...settled, ...claimed] };
}

function isForAny({ types, taskId }: Pick<Requests['claim'], 'types' | 'taskId'>): boolean {
  return types === undefined && taskId === undefined;
}
