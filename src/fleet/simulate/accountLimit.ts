import { pauseUntil } from '../decisions/rateLimits.ts';
import { nextStopStep } from '../decisions/stopStep.ts';
import { askWorker } from './askWorker.ts';
import { giveBack, settle } from './attemptOver.ts';
import type { SimulatedWorker } from './simulatedWorker.ts';
import { EVENT, isFinished, type SimulationState } from './simulationState.ts';

const RATE_LIMITED = { why: 'a rate limit ended the turn', limit: 'rateLimit' } as const;

/** The account hits its limit: its busy workers release their tasks without blame, and all wait for the reset. */
export function meetLimit(state: SimulationState): void {
  const { now, scenario, heap, workers } = state;
  const { rateLimit } = scenario;
  if (rateLimit === null || isFinished(state)) return;
  state.account = { pausedAt: now, pausedUntil: now + rateLimit.forMs };
  heap.push(now + rateLimit.everyMs, EVENT.limit);
  for (const worker of workers) {
    if (worker.slotState === 'busy') interrupt(state, worker);
    if (worker.slotState === 'idle') pause(state, worker);
  }
}

function interrupt(state: SimulationState, worker: SimulatedWorker): void {
  const { now, tasks, tally } = state;
  const { taskId, lastClaimedAt } = worker;
  const step = nextStopStep({ now, worker, pending: tasks.ready, exemption: RATE_LIMITED });
  if (taskId === null || step.type !== 'approve' || step.release !== 'rate_limited')
    throw new Error('A limit must release the task');
  // its notes and its tree are kept, so the next attempt continues from there
  tasks.get(taskId).doneMs += now - (lastClaimedAt ?? now);
  tally.rateLimited += 1;
  worker.attempt += 1;
  giveBack(state, taskId, null);
  settle(state, worker);
}

/** Until its own wake-up after the reset; its idle time keeps running. */
export function pause(state: SimulationState, worker: SimulatedWorker): void {
  const { now, account, pool, heap, random } = state;
  if (account === null || account.pausedUntil <= now) return;
  pool.remove(worker);
  worker.pausedUntil = pauseUntil({ now, resetAt: account.pausedUntil, attempt: 0, random: random() });
  heap.push(worker.pausedUntil, EVENT.wake, worker.slot, worker.incarnation);
  askWorker(state, worker);
}
