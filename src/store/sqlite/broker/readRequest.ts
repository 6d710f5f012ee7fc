import { changedRequest, requestFrame, STORE_REQUESTS } from '../../../schemas/storeRequests.ts';
import { CHANGED } from './limits.ts';

/** What a client may request through a socket. */
type ServedOperation = keyof typeof STORE_REQUESTS;

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
  const parsed = STORE_REQUESTS[operation].safeParse(request);
  if (!parsed.success) return { type: 'nonsense', why: `a request to ${operation} is not valid` };
  return { type: 'operation', id, operation, request: parsed.data };
}

const isServed = (operation: string): operation is ServedOperation => Object.hasOwn(STORE_REQUESTS, operation);
