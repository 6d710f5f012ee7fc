import type { StopSituation } from '../../stop/exemptions.ts';
import type { WorkerState } from '../../store/types.ts';
import type { IdleWorker } from './idleTime.ts';

/** What is asked of the worker that wants to stop; the store's worker has all of it. */
export interface StopWorker extends IdleWorker {
  readonly id?: string | undefined;
  /** Null: never stops for being idle. */
  readonly idleLimitMs: number | null;
  readonly state?: WorkerState | undefined;
  readonly epoch?: number | null | undefined;
  /** Its account's: it can claim nothing before. */
  readonly pausedUntil?: number | null | undefined;
  /** Blocks since it last used a tool. */
  readonly stopBlocks?: number | undefined;
}

/** What somebody else decided about this worker or its task, as the last heartbeat was told. */
export type StopOrder = 'superseded' | 'cancel' | 'drain';

/** The task it holds, where more is known than its id. */
export interface HeldTask {
  readonly title: string;
  readonly deadlineAt: number | null;
}

export interface StopLimits {
  /** How often a turn that uses no tool is sent back to its task before the task is given up. */
  readonly heldBlocks: number;
  /** How often in a row the host lets a hook block; beyond it a task handed over would be dropped. Null: no cap. */
  readonly hostBlocks: number | null;
}

export const STOP_LIMITS: StopLimits = { heldBlocks: 3, hostBlocks: 8 };

export interface StopFacts {
  readonly now: number;
  /** Null: this session is no worker's, or nobody knows it. */
  readonly worker: StopWorker | null;
  /** Tasks that THIS worker could claim now; `unknown` until a claim was tried. */
  readonly pending: number | 'unknown';
  /** When the next task that it could take is due. */
  readonly nextDueAt?: number | null | undefined;
  readonly isStoreAvailable?: boolean | undefined;
  readonly situation?: StopSituation | undefined;
  readonly order?: StopOrder | null | undefined;
  readonly held?: HeldTask | null | undefined;
  /** When the hook has to have answered, a margin before its own time-out; left out: it can wait for ever. */
  readonly answerBy?: number | null | undefined;
  readonly limits?: StopLimits | undefined;
}
