import { slotStartAt } from '../decisions/planStarts.ts';
import type { RunEnding } from '../decisions/restartBudget.ts';
import type { SimulatedWorker, SlotState } from './simulatedWorker.ts';
import type { SimulationState } from './simulationState.ts';

/** More than any restart policy needs. */
const REMEMBERED_ENDS = 12;

/** The only place where a slot changes its state, so that the counts stay right. */
export function setSlotState({ levels }: SimulationState, worker: SimulatedWorker, next: SlotState): void {
  levels[worker.slotState] -= 1;
  levels[next] += 1;
  worker.slotState = next;
}

export function startWorker(state: SimulationState, worker: SimulatedWorker): void {
  const { now, scenario, tally } = state;
  setSlotState(state, worker, 'starting');
  worker.incarnation += 1;
  worker.startedAt = now;
  worker.madeProgress = false;
  tally.starts += 1;
  if (worker.ends[0]?.ending === 'crashed') tally.replacements += 1;
  state.plan(now + scenario.startUpMs, 'workerStarted', worker);
}

/** A run has ended: the restart budget decides when the slot may be filled again. */
export function endRun(state: SimulationState, worker: SimulatedWorker, ending: RunEnding): void {
  const { now, pool } = state;
  const { startedAt, madeProgress } = worker;
  pool.remove(worker);
  worker.checkAt = Number.POSITIVE_INFINITY;
  worker.ends = [{ startedAt, endedAt: now, ending, madeProgress }, ...worker.ends].slice(0, REMEMBERED_ENDS);
  restSlot(state, worker);
}

/** Frees the slot, now or when it may be filled again. */
export function restSlot(state: SimulationState, worker: SimulatedWorker): void {
  const { now, account, ready } = state;
  const startAt = slotStartAt(now, { slot: worker.name, ends: worker.ends }, account);
  if (startAt > now) {
    setSlotState(state, worker, 'resting');
    state.plan(startAt, 'slotFree', worker);
    return;
  }
  setSlotState(state, worker, 'free');
  if (worker.isKept) startWorker(state, worker);
  else state.freeSlots.push(worker);
  if (ready.length > 0) state.requestTick();
}
