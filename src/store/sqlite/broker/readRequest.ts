import type * as z from 'zod';
import { changedRequest, requestFrame, STORE_REQUESTS } from '../../../schemas/storeRequests.ts';
import type { OperationName } from '../../operationsOver.ts';
import type { PlannedTask } from '../../planBatch.ts';
import type { ReadinessRequest, StoreOperations } from '../../types.ts';
import { CHANGED } from './limits.ts';

/** What a client may request through a socket. */
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

/** The fields of requests that no schema has: there must be none, or they would be dropped. */
type Forgotten = {
  [Name in ServedOperation]: Exclude<keyof Requests[Name], keyof z.output<Schemas[Name]>>;
}[ServedOperation];
type None<Nothing extends never> = Nothing;
/** @public: a check at compile time, which no other file imports. */
export type NoneForgotten = None<Forgotten>;

export interface OperationRequest {
  readonly type: 'operation';
  readonly id: number;
  readonly operation: ServedOperation;
  readonly request: object;
}

export type ReadRequest =
  | OperationRequest
  | { readonly type: 'changed'; readonly id: number; readonly withinMs: number }
  | { readonly type: 'nonsense'; readonly why: string };

/** Checks a client's frame completely: only what our own code sends passes. */
export function readRequest(value: unknown): ReadRequest {
  const frame = requestFrame.safeParse(value);
  if (!frame.success) return { type: 'nonsense', why: 'a frame is not a request' };
  const { id, operation, request } = frame.data;
  if (operation === CHANGED) {
    const parsed = changedRequest.safeParse(request);
    if (parsed.success) return { type: 'changed', id, withinMs: parsed.data.withinMs };
    return { type: 'nonsense', why: 'a wait has no duration' };
  }
  if (!isServed(operation)) return { type: 'nonsense', why: 'a frame names an unknown operation' };
  const parsed = SERVED[operation].safeParse(request);
  if (!parsed.success) return { type: 'nonsense', why: `a request to ${operation} is not valid` };
  return { type: 'operation', id, operation, request: parsed.data };
}

const isServed = (operation: string): operation is ServedOperation => Object.hasOwn(SERVED, operation);
