import { askWorker } from './askWorker.ts';
import { giveBack } from './giveBack.ts';
import type { SimulatedWorker } from './simulatedWorker.ts';
import { EVENT, type SimulationState } from './simulationState.ts';
import { setSlotState } from './slots.ts';

/** The moment that was settled when the task was claimed. */
export function attemptOver(state: SimulationState, worker: SimulatedWorker): void {
  if (worker.fate === 'crashed') crash(state, worker);
  else finish(state, worker);
}

function finish(state: SimulationState, worker: SimulatedWorker): void {
  const { taskId } = worker;
  if (taskId === null) throw new Error('An attempt is over that nobody has');
  if (worker.fate === 'failed') {
    state.tally.failures += 1;
    giveBack(state, taskId, 'failures');
  } else complete(state, taskId);
  worker.madeProgress ||= worker.fate === 'done';
  settle(state, worker);
  askWorker(state, worker);
}

function complete({ tasks, now, tally, finishes, watch }: SimulationState, handle: number): void {
  const { number, addedAt } = tasks.get(handle);
  tally.done += 1;
  finishes.add(now - addedAt);
  watch.settled?.(number, 'done');
  tasks.end(handle);
}

/** It no longer holds its task, and begins a fresh window. */
export function settle(state: SimulationState, worker: SimulatedWorker): void {
  worker.taskId = null;
  worker.lastSettledAt = state.now;
  setSlotState(state, worker, 'idle');
}

/** Gone, with its task; somebody has to notice. */
function crash(state: SimulationState, worker: SimulatedWorker): void {
  const { now, heap, scenario, tally } = state;
  tally.crashes += 1;
  setSlotState(state, worker, 'crashed');
  worker.heartbeatAt = now;
  worker.suspectAt = null;
  const lookAt = (Math.floor(now / scenario.tickMs) + 1) * scenario.tickMs;
  heap.push(lookAt, EVENT.look, worker.slot, worker.incarnation);
}
