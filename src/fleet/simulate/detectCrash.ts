import { decideLiveness, LIVENESS_LIMITS, type Liveness } from '../decisions/liveness.ts';
import { giveBack } from './attemptOver.ts';
import type { SimulatedWorker } from './simulatedWorker.ts';
import { EVENT, type SimulationState } from './simulationState.ts';
import { endRun } from './slots.ts';

const HERE = 'here';

/** The coordinator checks a crashed worker, knowing only what a real one could know. */
export function detectCrash(state: SimulationState, worker: SimulatedWorker): void {
  const { now, heap, scenario } = state;
  const seesProcess = scenario.watches === 'processes';
  const { heartbeatAt, suspectAt, taskId } = worker;
  const verdict = decideLiveness({
    now,
    host: HERE,
    process: seesProcess ? 'gone' : 'unknown',
    awakeSince: 0,
    worker: {
      state: 'live',
      host: seesProcess ? HERE : 'elsewhere',
      launchUntil: null,
      heartbeatAt,
      activityAt: heartbeatAt,
      toolStartedAt: null,
      lastClaimedAt: null,
      sessionId: null,
      suspectAt,
      taskId: taskId === null ? null : String(taskId),
      // limits end attempts, so a crashed worker hit none
      pausedUntil: null,
    },
  });
  if (verdict.type === 'ended' || verdict.type === 'lost') reclaim(state, worker);
  else heap.push(nextCheckAt(verdict, worker), EVENT.look, worker.slot, worker.incarnation);
  if (verdict.type === 'suspect') worker.suspectAt ??= now;
}

function nextCheckAt(verdict: Liveness, { heartbeatAt }: SimulatedWorker): number {
  if (verdict.type === 'suspect') return verdict.dueAt;
  return verdict.type === 'suspended' ? verdict.untilAt : heartbeatAt + LIVENESS_LIMITS.heartbeatMs + 1;
}

function reclaim(state: SimulationState, worker: SimulatedWorker): void {
  const { taskId } = worker;
  worker.taskId = null;
  if (taskId !== null) giveBack(state, taskId, 'reclaims');
  endRun(state, worker, 'crashed');
}
