import type { Lease, Store, Worker } from '../store/types.ts';
import type { Ids } from '../system/ids.ts';
import type { ProcessFacts } from './thisProcess.ts';

/** What everything that is done for a teammate needs. */
export interface TeamContext {
  readonly store: Store;
  readonly team: string;
  /** Who this agent is in it. */
  readonly name: string;
  readonly sessionId: string | null;
  readonly process: ProcessFacts;
  readonly ids: Ids;
}

export function leaseOf({ id, incarnation, taskId, attemptId, epoch }: Worker): Lease | undefined {
  if (taskId === null || attemptId === null || epoch === null) return undefined;
  return { taskId, attemptId, epoch, workerId: id, incarnation };
}
