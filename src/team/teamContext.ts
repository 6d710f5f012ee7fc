import type { Store, Worker } from '../store/types.ts';
import type { Ids } from '../system/ids.ts';
import type { ProcessFacts } from '../system/processLife.ts';

/** The team, the store, and who this agent is. */
export interface TeamContext {
  readonly store: Store;
  readonly team: string;
  /** The name of this agent. */
  readonly name: string;
  readonly sessionId: string | null;
  /** The process that its slots belong to. */
  readonly process: ProcessFacts;
  readonly ids: Ids;
}

export function isOf({ host, pid, pidStart }: ProcessFacts, worker: Worker): boolean {
  return worker.host === host && worker.pid === pid && worker.pidStart === pidStart;
}
