import type { Claimed, ClaimOutcome, Lease, Store, Worker } from '../../store/types.ts';
import type { Clock } from '../../system/clock.ts';
import { formatHandover } from '../decisions/handover.ts';
import { DEFAULT_LEASE, type LeaseTimes } from '../decisions/leaseTimes.ts';
import { answerReason, UNSETTLED } from '../decisions/stopReasons.ts';
import {
  type AnswerStep,
  type ApproveWhy,
  nextStopStep,
  type StopExemption,
  type StopLimits,
  type StopOrder,
  type StopStepFacts,
} from '../decisions/stopStep.ts';
import { earlierResults } from './earlierResults.ts';
import { heldAt } from './heldBy.ts';

/** The answer of a worker's stop hook. */
export type WorkerStopAnswer =
  | {
      readonly type: 'block';
      readonly reason: string;
      /** The task that is handed over. */
      readonly task?: HandedTask;
      /** Call it when the host has the answer: until then a task is only offered, and the offer expires. */
      readonly delivered?: () => Promise<void>;
    }
  | {
      readonly type: 'approve';
      readonly why: ApproveWhy | 'abandoned' | 'oneTask' | 'interrupted';
      readonly reason: string;
    };

export interface HandedTask extends Pick<Claimed['task'], 'title' | 'body'> {
  readonly lease: Lease;
}

export interface WorkerStop {
  readonly store: Store;
  readonly workerId: string;
  readonly incarnation: number;
  readonly exemption?: StopExemption | null;
  /** A tool ran since the last block, which resets the host's cap and ours. */
  readonly usedTool: boolean;
  /** By the store's clock: when the hook must have answered. */
  readonly answerInMs: number | null;
  readonly limits: StopLimits;
  readonly clock: Clock;
  readonly newClaimKey: () => string;
  readonly signal: AbortSignal;
  /** Where its agent works, as its task names it, empty for none: a task of another repository gets an agent of its own. */
  readonly repository?: string | null;
  /** The agent is restarted for each task. */
  readonly oneTask?: boolean;
  /** Called when it waits. Default: 3m. */
  readonly lease?: (() => Promise<LeaseTimes>) | undefined;
}

/** Long enough to write a few kilobytes into a pipe, short enough not to delay the task. */
const OFFER_MS = 30_000;
const RETRY_MS = 250;

/**
 * The hook that waits, so that the model does not: claims a ready task, long-polls the store while there is none, sends
 * heartbeats, and stops when the worker's idle window or its own time is over. `nextStopStep` decides; this carries it out.
 */
export async function askWorkerStop(stop: WorkerStop): Promise<WorkerStopAnswer> {
  const { store, workerId, incarnation } = stop;
  const startedAt = stop.clock.now();
  let known: Known = UNKNOWN;
  let mustClear = stop.usedTool;
  while (true) {
    const facts = await inspectWorker(stop, known, stop.clock.now() - startedAt);
    if (mustClear && (facts.found?.stopBlocks ?? 0) > 0) {
      mustClear = false;
      await store.updateWorker({ workerId, incarnation, stopBlock: 'clear' });
      continue;
    }
    if (stop.oneTask && facts.found !== null && facts.lease === null) {
      const reason = 'The task is settled; the next one gets a new agent.';
      return { type: 'approve', why: 'oneTask', reason };
    }
    const step = nextStopStep(facts);
    if (step.type === 'claim') {
      const outcome = await tryClaim(stop, facts);
      if (outcome.type === 'claimed') {
        const why = whyOwnAgent(stop, outcome);
        return why === null ? handOver(stop, outcome, facts.now) : leaveToNewAgent(stop, outcome, why);
      }
      known = afterClaim(outcome, known);
    } else if (step.type === 'wait') {
      await waitFor(stop, facts, step.untilAt - facts.now);
      if (stop.signal.aborted)
        return { type: 'approve', why: 'interrupted', reason: 'The hook was ended while it was waiting.' };
      known = UNKNOWN;
    } else return carryOut(stop, step, facts);
  }
}

/** Reads before it claims: a read writes nothing, and most stops find no task. */
async function tryClaim(
  { store, workerId, incarnation, newClaimKey }: WorkerStop,
  facts: LookFacts,
): Promise<ClaimOutcome> {
  const seen = await store.readiness(queueOf(facts));
  if (seen.type === 'readiness' && seen.ready === 0) return { ...seen, type: 'empty' };
  return store.claim({ workerId, incarnation, claimKey: newClaimKey(), offerMs: OFFER_MS, ...queueOf(facts) });
}

/** The result of the last claim. */
interface Known {
  readonly pending: StopStepFacts['pending'];
  readonly nextDueAt: number | null;
  readonly isStoreAvailable: boolean;
}

const UNKNOWN: Known = { pending: 'unknown', nextDueAt: null, isStoreAvailable: true };

/** No task, a paused account, or an unreachable store; any other refusal shows up at the next inspection. */
function afterClaim(outcome: Exclude<ClaimOutcome, Claimed>, before: Known): Known {
  if (outcome.type === 'empty') return { ...UNKNOWN, pending: 0, nextDueAt: outcome.nextDueAt };
  if (outcome.type === 'refused' && outcome.reason === 'accountPaused') return { ...UNKNOWN, pending: 0 };
  // refused twice in a row for an unknown reason: it is no longer a worker
  return { ...before, pending: 0, isStoreAvailable: outcome.type === 'refused' && before.pending === 'unknown' };
}

/** Until a task may be ready, but never longer than the heartbeat interval. */
async function waitFor(stop: WorkerStop, facts: LookFacts, mostMs: number): Promise<void> {
  const { store, clock, signal, lease } = stop;
  const { beatMs } = (await lease?.()) ?? DEFAULT_LEASE;
  const timeoutMs = Math.min(mostMs, beatMs);
  // a worker whose account is paused cannot claim
  if ((facts.found?.pausedUntil ?? 0) > facts.now) return clock.sleep(timeoutMs, signal);
  const outcome = await store.waitForWork({ ...queueOf(facts), timeoutMs, signal });
  // others were faster, or the task is meant for them: pause between claims
  if (outcome.type !== 'timedOut' && facts.pending === 0) await clock.sleep(Math.min(timeoutMs, RETRY_MS), signal);
}

interface LookFacts extends StopStepFacts {
  readonly found: Worker | null;
  readonly lease: Lease | null;
}

/** Sends a heartbeat and reads this worker from the store. */
async function inspectWorker(stop: WorkerStop, known: Known, waitedMs: number): Promise<LookFacts> {
  const { store, workerId, incarnation, exemption, limits } = stop;
  const { worker: found, lease, now: storeNow } = await heldAt(store, workerId, incarnation);
  // the first inspection of a worker without a task may be the only one, so it sends no heartbeat
  const beats = found !== null && (lease !== null || waitedMs > 0);
  const beat = beats ? await store.heartbeat({ workerId, incarnation, ...(lease && { lease }) }) : null;
  const now = storeNow ?? stop.clock.now();
  // one that has moved can still be read, but never has a task again
  const hasMoved = beat?.type === 'unavailable' && beat.cause === 'moved';
  const held = lease === null ? null : await heldTask(stop, lease, beat?.type === 'ok' ? beat.deadlineAt : null);
  return {
    now,
    worker: found,
    found,
    lease,
    ...known,
    isStoreAvailable: storeNow !== null && known.isStoreAvailable && !hasMoved,
    exemption,
    order: ORDERS.find((order) => order === beat?.type),
    held,
    answerBy: stop.answerInMs === null ? null : now + stop.answerInMs - waitedMs,
    limits,
  };
}

const ORDERS: readonly StopOrder[] = ['superseded', 'cancel', 'drain'];

async function heldTask({ store }: WorkerStop, lease: Lease, deadlineAt: number | null) {
  const found = await store.task({ id: lease.taskId });
  return found.type === 'found' ? { title: found.task.title, deadlineAt } : null;
}

function queueOf({ found }: LookFacts) {
  return found === null ? {} : { queue: found.queue, ...(found.types && { types: found.types }) };
}

/** Why a running agent cannot take it; null when it can. */
function whyOwnAgent({ answerInMs, repository = null }: WorkerStop, { task }: Claimed): string | null {
  if (answerInMs === null) return null;
  // what it has spent on its earlier tasks would count
  if (task.costBudgetUsd !== null || task.tokenBudget !== null) return 'has a budget';
  const isElsewhere = repository !== null && (task.repository ?? '') !== repository;
  return isElsewhere ? 'is in another repository' : null;
}

async function leaveToNewAgent(
  { store }: WorkerStop,
  { lease, task }: Claimed,
  why: string,
): Promise<WorkerStopAnswer> {
  await store.release({ lease, reason: 'unserved' });
  return { type: 'approve', why: 'oneTask', reason: `Task ${task.id} ${why}, so it gets a new agent.` };
}

/** Deliver, then acknowledge: an answer that never reaches the host must not keep the task from other workers. */
async function handOver(stop: WorkerStop, claimed: Claimed, now: number): Promise<WorkerStopAnswer> {
  const delivered = async () => {
    await stop.store.acknowledge({ lease: claimed.lease });
    await noteBlock(stop, `task ${claimed.task.id}`);
  };
  const { title, body } = claimed.task;
  return {
    type: 'block',
    reason: formatHandover(claimed, now, await earlierResults(stop.store, claimed.task.id)),
    task: { lease: claimed.lease, title, body },
    delivered,
  };
}

async function noteBlock({ store, workerId, incarnation }: WorkerStop, reason: string): Promise<void> {
  await store.updateWorker({ workerId, incarnation, stopBlock: { reason } });
}

async function carryOut(stop: WorkerStop, step: AnswerStep, facts: LookFacts): Promise<WorkerStopAnswer> {
  const { store } = stop;
  const { lease } = facts;
  const reason = answerReason(step, facts);
  if (step.type === 'block') return { type: 'block', reason, delivered: () => noteBlock(stop, step.why) };
  if (step.type === 'abandon') {
    // counts as a failure: otherwise the task would be started again and again
    if (lease !== null) await store.fail({ lease, error: UNSETTLED });
    return { type: 'approve', why: 'abandoned', reason };
  }
  if (lease !== null && step.release !== undefined) await store.release({ lease, reason: step.release });
  return { type: 'approve', why: step.why, reason };
}
