import { decideLiveness, LIVENESS_LIMITS, type Liveness } from '../decisions/liveness.ts';
import { giveBack } from './attemptOver.ts';
import type { SimulatedWorker } from './simulatedWorker.ts';
import type { SimulationState } from './simulationState.ts';
import { endRun } from './slots.ts';

const HERE = 'here';

/** The coordinator checks a crashed worker, knowing only what a real one could know. */
export function detectCrash(state: SimulationState, worker: SimulatedWorker): void {
  const { now, scenario } = state;
  const seesProcess = scenario.watches === 'processes';
  const { heartbeatAt, suspectAt, task } = worker;
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
      taskId: task && String(task.number),
      // limits end attempts, so a crashed worker hit none
      pausedUntil: null,
    },
  });
  if (verdict.type === 'ended' || verdict.type === 'lost') reclaim(state, worker);
  else state.plan(nextCheckAt(verdict, worker), 'look', worker);
  if (verdict.type === 'suspect') worker.suspectAt ??= now;
}

function nextCheckAt(verdict: Liveness, { heartbeatAt }: SimulatedWorker): number {
  if (verdict.type === 'suspect') return verdict.dueAt;
  return verdict.type === 'suspended' ? verdict.untilAt : heartbeatAt + LIVENESS_LIMITS.heartbeatMs + 1;
}

function reclaim(state: SimulationState, worker: SimulatedWorker): void {
  const { task } = worker;
  worker.task = null;
  if (task !== null) giveBack(state, task, 'reclaims');
  endRun(state, worker, 'crashed');
}
