import type { RunEnd } from '../decisions/restartBudget.ts';
import type { OpenTask } from './taskQueue.ts';

/**
 * `free`: may be filled. `resting`: may be filled later. `starting`: its process is starting. `idle`: waits in its stop hook.
 * `busy`: has a task. `crashed`: gone, and not yet detected.
 */
export type SlotState = 'free' | 'resting' | 'starting' | 'idle' | 'busy' | 'crashed';

export class SimulatedWorker {
  readonly name: string;
  readonly isKept: boolean;
  readonly idleLimitMs: number | null;
  slotState: SlotState = 'free';
  incarnation = 0;
  /** Increased with each attempt: the end of an earlier one is void. */
  attempt = 0;
  task: OpenTask | null = null;
  fate: 'done' | 'failed' | 'crashed' = 'done';
  registeredAt = 0;
  lastClaimedAt: number | null = null;
  lastSettledAt: number | null = null;
  pausedUntil: number | null = null;
  startedAt = 0;
  madeProgress = false;
  heartbeatAt = 0;
  suspectAt: number | null = null;
  /** When its only planned idle check is due. */
  checkAt = Number.POSITIVE_INFINITY;
  /** Its index in the `WorkerPool`, or -1. */
  poolIndex = -1;
  /** Newest first, the last few. */
  ends: readonly RunEnd[] = [];

  constructor(name: string, isKept: boolean, idleLimitMs: number | null) {
    this.name = name;
    this.isKept = isKept;
    this.idleLimitMs = isKept ? null : idleLimitMs;
  }

  get taskId(): number | null {
    return this.task?.number ?? null;
  }
}
