import { TASK_DEFAULTS } from '../../store/taskDefaults.ts';
import { type Counted, decideTaskReturn } from '../decisions/taskReturn.ts';
import { askWorker } from './askWorker.ts';
import type { SimulatedWorker } from './simulatedWorker.ts';
import { EVENT, type SimulationState } from './simulationState.ts';
import { setSlotState } from './slots.ts';

/** The end that was drawn when the task was claimed. */
export function attemptOver(state: SimulationState, worker: SimulatedWorker): void {
  if (worker.fate === 'crashed') crash(state, worker);
  else finish(state, worker);
}

function finish(state: SimulationState, worker: SimulatedWorker): void {
  const { taskId } = worker;
  if (taskId === null) throw new Error('An attempt ended that no worker has');
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

/** It no longer holds its task, and a new idle window begins. */
export function settle(state: SimulationState, worker: SimulatedWorker): void {
  worker.taskId = null;
  worker.lastSettledAt = state.now;
  setSlotState(state, worker, 'idle');
}

/** Gone, with its task; the coordinator has to detect it. */
function crash(state: SimulationState, worker: SimulatedWorker): void {
  const { now, heap, scenario, tally } = state;
  tally.crashes += 1;
  setSlotState(state, worker, 'crashed');
  worker.heartbeatAt = now;
  worker.suspectAt = null;
  const checkAt = (Math.floor(now / scenario.tickMs) + 1) * scenario.tickMs;
  heap.push(checkAt, EVENT.look, worker.slot, worker.incarnation);
}

/** An attempt ended without success: its task waits for another attempt, or is dead. */
export function giveBack(state: SimulationState, handle: number, counted: Counted | null): void {
  const { tasks, now, heap, tally, random, watch } = state;
  const task = tasks.get(handle);
  const decision = decideTaskReturn({ now, counted, task: { ...TASK_DEFAULTS, ...task }, random: random() });
  if (counted !== null && decision.count !== null) task[counted] = decision.count;
  watch.settled?.(task.number, decision.type === 'dead' ? 'dead' : 'back');
  if (decision.type === 'dead') {
    tally.dead += 1;
    tasks.end(handle);
  } else heap.push(decision.runAt, EVENT.taskDue, handle);
}
