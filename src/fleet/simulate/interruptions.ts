import { DEFAULT_LEASE } from '../decisions/leaseTimes.ts';
import { decideLiveness, type Liveness } from '../decisions/liveness.ts';
import { pauseUntil } from '../decisions/rateLimits.ts';
import { nextStopStep } from '../decisions/stopStep.ts';
import { askWorker, giveBack, settle } from './attempts.ts';
import type { SimulatedWorker } from './simulatedWorker.ts';
import type { SimulationState } from './simulationState.ts';
import { endRun } from './slots.ts';

const RATE_LIMITED = { why: 'a rate limit ended the turn', limit: 'rateLimit' } as const;

/** The account hits its limit: its busy workers release their tasks without blame, and all wait for the reset. */
export function meetLimit(state: SimulationState): void {
  const { now, scenario, workers, tally } = state;
  const { rateLimit } = scenario;
  const isFinished = !state.hasMoreArrivals && tally.done + tally.dead === tally.tasks;
  if (rateLimit === null || isFinished) return;
  state.account = { pausedAt: now, pausedUntil: now + rateLimit.forMs };
  state.plan(now + rateLimit.everyMs, 'limit');
  for (const worker of workers) {
    if (worker.slotState === 'busy') interrupt(state, worker);
    if (worker.slotState === 'idle') pause(state, worker);
  }
}

function interrupt(state: SimulationState, worker: SimulatedWorker): void {
  const { now, ready, tally } = state;
  const { task, lastClaimedAt } = worker;
  const step = nextStopStep({ now, worker, pending: ready.length, exemption: RATE_LIMITED });
  if (task === null || step.type !== 'approve' || step.release !== 'rate_limited')
    throw new Error('A limit must release the task');
  // its notes and its tree are kept, so the next attempt continues from there
  task.doneMs += now - (lastClaimedAt ?? now);
  tally.rateLimited += 1;
  worker.attempt += 1;
  giveBack(state, task, null);
  settle(state, worker);
}

/** Until its own wake-up after the reset; its idle time keeps running. */
export function pause(state: SimulationState, worker: SimulatedWorker): void {
  const { now, account, pool, random } = state;
  if (account === null || account.pausedUntil <= now) return;
  pool.remove(worker);
  worker.pausedUntil = pauseUntil({ now, resetAt: account.pausedUntil, attempt: 0, random: random() });
  state.plan(worker.pausedUntil, 'wake', worker);
  askWorker(state, worker);
}

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
  return verdict.type === 'suspended' ? verdict.untilAt : heartbeatAt + DEFAULT_LEASE.heartbeatMs + 1;
}

function reclaim(state: SimulationState, worker: SimulatedWorker): void {
  const { task } = worker;
  worker.task = null;
  if (task !== null) giveBack(state, task, 'reclaims');
  endRun(state, worker, 'crashed');
}
