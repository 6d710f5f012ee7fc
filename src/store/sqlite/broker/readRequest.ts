import type * as z from 'zod';
import { changedRequest, requestFrame, STORE_REQUESTS } from '../../../schemas/storeRequests.ts';
import type { OperationName } from '../../operationsOver.ts';
import type { PlannedTask } from '../../planBatch.ts';
import type { ReadinessRequest, StoreOperations } from '../../types.ts';
import { CHANGED } from './limits.ts';

/** What may be asked through a socket. */
type ServedOperation = OperationName | 'probe';

type Requests = {
  readonly [Name in Exclude<OperationName, 'addTasks'>]: NonNullable<Parameters<StoreOperations[Name]>[0]>;
} & {
  readonly addTasks: { readonly tasks: readonly PlannedTask[]; readonly actor?: string | undefined };
  readonly probe: ReadinessRequest;
};

type Schemas = typeof STORE_REQUESTS;

/** Does not compile when an operation has no schema, or one that reads something else. */
const SERVED: { readonly [Name in ServedOperation]: z.ZodType<Requests[Name]> } = STORE_REQUESTS;

/** The fields of requests that no schema has: there must be none, or the field would never arrive. */
type Forgotten = {
  [Name in ServedOperation]: Exclude<keyof Requests[Name], keyof z.output<Schemas[Name]>>;
}[ServedOperation];
type None<Nothing extends never> = Nothing;
/** @public: a check at compile time, which no other file imports. */
export type NoneForgotten = None<Forgotten>;

export interface AskedOperation {
  readonly type: 'operation';
  readonly id: number;
  readonly operation: ServedOperation;
  readonly request: object;
}

export type ReadRequest =
  | AskedOperation
  | { readonly type: 'changed'; readonly id: number; readonly withinMs: number }
  | { readonly type: 'nonsense'; readonly why: string };

/** One frame of a client, checked whole: what gets past this is what our own code sends. */
export function readRequest(value: unknown): ReadRequest {
  const frame = requestFrame.safeParse(value);
  if (!frame.success) return { type: 'nonsense', why: 'a frame is not a request' };
  const { id, operation, request } = frame.data;
  if (operation === CHANGED) {
    const asked = changedRequest.safeParse(request);
    if (asked.success) return { type: 'changed', id, withinMs: asked.data.withinMs };
    return { type: 'nonsense', why: 'a wait has no length' };
  }
  if (!isServed(operation)) return { type: 'nonsense', why: 'a frame names no operation that is served' };
  const asked = SERVED[operation].safeParse(request);
  if (!asked.success) return { type: 'nonsense', why: `a request to ${operation} is not one` };
  return { type: 'operation', id, operation, request: asked.data };
}

const isServed = (operation: string): operation is ServedOperation => Object.hasOwn(SERVED, operation);
