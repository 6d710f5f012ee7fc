import type { RunEnd } from '../decisions/restartBudget.ts';
import type { StopWorker } from '../decisions/stopStep.ts';

/**
 * `free`: may be filled. `resting`: may be filled later. `starting`: its process is starting. `idle`: waits in its stop hook.
 * `busy`: has a task. `crashed`: gone, and not yet detected.
 */
export type SlotState = 'free' | 'resting' | 'starting' | 'idle' | 'busy' | 'crashed';

type Mutable<T> = { -readonly [Key in keyof T]: T[Key] };

export interface SimulatedWorker extends Mutable<Pick<StopWorker, 'registeredAt' | 'lastClaimedAt' | 'lastSettledAt'>> {
  readonly slot: number;
  readonly name: string;
  readonly isKept: boolean;
  readonly idleLimitMs: number | null;
  slotState: SlotState;
  incarnation: number;
  /** Increased with each attempt: the end of an earlier one is void. */
  attempt: number;
  taskId: number | null;
  fate: AttemptFate;
  pausedUntil: number | null;
  startedAt: number;
  madeProgress: boolean;
  heartbeatAt: number;
  suspectAt: number | null;
  /** When its only planned idle check is due. */
  checkAt: number;
  /** Its index in the `WorkerPool`, or -1. */
  poolIndex: number;
  /** Newest first, the last few. */
  ends: RunEnd[];
}

export type AttemptFate = 'done' | 'failed' | 'crashed';

export function simulatedWorker(slot: number, isKept: boolean, idleLimitMs: number | null): SimulatedWorker {
  return {
    slot,
    name: `worker-${slot}`,
    isKept,
    idleLimitMs: isKept ? null : idleLimitMs,
    slotState: 'free',
    incarnation: 0,
    attempt: 0,
    taskId: null,
    fate: 'done',
    registeredAt: 0,
    lastClaimedAt: null,
    lastSettledAt: null,
    pausedUntil: null,
    startedAt: 0,
    madeProgress: false,
    heartbeatAt: 0,
    suspectAt: null,
    checkAt: Number.POSITIVE_INFINITY,
    poolIndex: -1,
    ends: [],
  };
}
