import type { ExportedRow } from './exportedRow.ts';
import type { StoreOperations } from './outcomes.ts';
import type { Requests } from './requests.ts';
import type { Unavailable } from './unavailable.ts';

export type * from './attempt.ts';
export type * from './event.ts';
export type * from './exportedRow.ts';
export type * from './growthOutcomes.ts';
export type * from './newTask.ts';
export type * from './outcomes.ts';
export type * from './requests.ts';
export type { LandingMethod, Review, ReviewLimit, ReviewState } from './review.ts';
export type * from './schedule.ts';
export type * from './task.ts';
export type { Unavailable } from './unavailable.ts';
export type * from './worker.ts';

export interface Store extends StoreOperations, AsyncDisposable {
  /**
   * Resolves when a task may be ready, also when a delayed one is due; only a hint that saves polling: claim to find out. Never
   * rejects.
   */
  waitForWork(request: WaitForWorkRequest): Promise<WaitForWorkOutcome>;
  /** From now on every change returns `moved`, until `cancelMove`; reads continue. */
  startMove(request: { readonly to: string }): Promise<{ readonly type: 'moving' } | Unavailable>;
  cancelMove(request?: object): Promise<{ readonly type: 'cancelled' | 'unchanged' } | Unavailable>;
  /** Everything, in an order in which it can be imported. Throws `StoreUnavailableError` when it fails. */
  exportAll(): AsyncIterable<ExportedRow>;
  /** All or nothing, into an empty store; epochs and incarnations are kept, the generation is one higher. */
  importAll(rows: AsyncIterable<ExportedRow>): Promise<ImportOutcome>;
  close(): Promise<void>;
}

export type WaitForWorkRequest = Requests['readiness'] & {
  readonly timeoutMs: number;
  readonly signal?: AbortSignal | undefined;
};

export type WaitForWorkOutcome = { readonly type: 'ready' | 'timedOut' | 'aborted' } | Unavailable;

export type ImportOutcome =
  | { readonly type: 'imported'; readonly rows: number; readonly generation: number }
  | { readonly type: 'refused'; readonly reason: 'notEmpty' }
  | Unavailable;
