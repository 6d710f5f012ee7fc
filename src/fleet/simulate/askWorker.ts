import { nextStopStep } from '../decisions/stopStep.ts';
import { claimTask } from './claimTask.ts';
import type { SimulatedWorker } from './simulatedWorker.ts';
import type { SimulationState } from './simulationState.ts';
import { endRun, setSlotState } from './slots.ts';

/** A worker without a task wants to stop: the hook's real decision, carried out in virtual time. */
export function askWorker(state: SimulationState, worker: SimulatedWorker): void {
  const step = nextStopStep({ now: state.now, worker, pending: state.ready.length });
  if (step.type === 'claim') claimTask(state, worker);
  else if (step.type === 'wait') waitUntil(state, worker, step.untilAt);
  else if (step.type === 'approve' && step.why === 'idle') stopIdle(state, worker);
  else throw new Error(`A simulated stop cannot be answered with ${step.type}`);
}

function stopIdle(state: SimulationState, worker: SimulatedWorker): void {
  state.tally.idleStops += 1;
  state.watch.stopped?.(worker, state.now);
  endRun(state, worker, 'idle');
}

/** At most one check per worker is planned, and again when it came too early: the heap stays as large as the fleet. */
function waitUntil(state: SimulationState, worker: SimulatedWorker, untilAt: number): void {
  if (worker.slotState !== 'idle') setSlotState(state, worker, 'idle');
  if ((worker.pausedUntil ?? 0) <= state.now) state.pool.add(worker);
  if (untilAt >= worker.checkAt || untilAt === Number.POSITIVE_INFINITY) return;
  worker.checkAt = untilAt;
  state.plan(untilAt, 'idleCheck', worker);
}

/** Waiting workers claim the ready tasks; if any are left, the coordinator has to act. */
export function handOut(state: SimulationState): void {
  const { ready, pool, random } = state;
  for (let worker = pool.any(random); worker !== null && ready.length > 0; worker = pool.any(random)) {
    askWorker(state, worker);
  }
  if (ready.length > 0) state.requestTick();
}
