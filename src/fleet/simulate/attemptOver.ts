import { retryDelayMs } from '../../store/retryDelay.ts';
import { TASK_DEFAULTS } from '../../store/taskDefaults.ts';
import { askWorker } from './askWorker.ts';
import type { SimulatedWorker } from './simulatedWorker.ts';
import type { SimulationState } from './simulationState.ts';
import { setSlotState } from './slots.ts';
import type { OpenTask } from './taskQueue.ts';

/** The end that was drawn when the task was claimed. */
export function attemptOver(state: SimulationState, worker: SimulatedWorker): void {
  const { task, fate } = worker;
  if (task === null) throw new Error('An attempt ended that no worker has');
  if (fate === 'crashed') crash(state, worker);
  else {
    if (fate === 'failed') fail(state, task);
    else complete(state, task);
    worker.madeProgress ||= fate === 'done';
    settle(state, worker);
    askWorker(state, worker);
  }
}

function fail(state: SimulationState, task: OpenTask): void {
  state.tally.failures += 1;
  giveBack(state, task, 'failures');
}

function complete({ now, tally, finishes, watch }: SimulationState, { number, addedAt }: OpenTask): void {
  tally.done += 1;
  finishes.add(now - addedAt);
  watch.settled?.(number, 'done');
}

/** It no longer holds its task, and a new idle window begins. */
export function settle(state: SimulationState, worker: SimulatedWorker): void {
  worker.task = null;
  worker.lastSettledAt = state.now;
  setSlotState(state, worker, 'idle');
}

/** Gone, with its task; the coordinator has to detect it. */
function crash(state: SimulationState, worker: SimulatedWorker): void {
  state.tally.crashes += 1;
  setSlotState(state, worker, 'crashed');
  worker.heartbeatAt = state.now;
  worker.suspectAt = null;
  state.plan(state.nextTickAt(), 'look', worker);
}

const LIMITS = { failures: TASK_DEFAULTS.maxFailures, reclaims: TASK_DEFAULTS.maxReclaims } as const;

/**
 * An attempt ended without success: its task waits for another attempt, or is dead, as the stores decide it. A limit of the
 * account counts as nothing and has no delay.
 */
export function giveBack(state: SimulationState, task: OpenTask, counted: keyof typeof LIMITS | null): void {
  const { now, heap, tally, watch } = state;
  const jitter = state.random();
  if (counted !== null) task[counted] += 1;
  const isDead = counted !== null && task[counted] >= LIMITS[counted];
  watch.settled?.(task.number, isDead ? 'dead' : 'back');
  if (isDead) tally.dead += 1;
  else {
    const delayMs = counted === null ? 0 : retryDelayMs(TASK_DEFAULTS.backoffMs, task[counted], jitter);
    heap.push({ at: now + delayMs, kind: 'taskDue', task });
  }
}
