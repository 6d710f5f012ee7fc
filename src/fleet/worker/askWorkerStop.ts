import type { StopSituation } from '../../stop/exemptions.ts';
import { leaseOf } from '../../store/leaseOf.ts';
import type { Claimed, ClaimOutcome, Lease, Store, Worker } from '../../store/types.ts';
import type { Clock } from '../../system/clock.ts';
import { ownValue } from '../../system/ownValue.ts';
import { handoverWords } from '../decisions/handoverWords.ts';
import { idleMs } from '../decisions/idleTime.ts';
import type { StopFacts, StopLimits, StopOrder } from '../decisions/stopFacts.ts';
import { type ApproveWhy, nextStopStep, type StopStep } from '../decisions/stopStep.ts';
import { abandonWords, approveWords, heldWords, UNSETTLED, waitOnWords } from '../decisions/stopWords.ts';

/** What a worker's stop hook answers. */
export type WorkerStopAnswer =
  | {
      readonly type: 'block';
      readonly reason: string;
      /** To be called when the host has the answer: until then a task is only offered, and returns by itself. */
      readonly delivered?: () => Promise<void>;
    }
  | {
      readonly type: 'approve';
      readonly why: ApproveWhy | 'abandoned' | 'oneTask' | 'interrupted';
      readonly reason: string;
    };

export interface WorkerStop {
  readonly store: Store;
  readonly workerId: string;
  readonly incarnation: number;
  readonly situation: StopSituation;
  /** That a tool ran since the last block: the host's cap starts anew then, and so does ours. */
  readonly usedTool: boolean;
  /** By the store's clock: when the hook must have answered. */
  readonly answerInMs: number | null;
  readonly limits: StopLimits;
  readonly clock: Clock;
  readonly newClaimKey: () => string;
  readonly signal: AbortSignal;
  /** One task and no more: the agent is started anew for each. */
  readonly oneTask?: boolean;
}

/** Long enough to write some kilobytes into a pipe, short enough not to be missed. */
const OFFER_MS = 30_000;
const HEARTBEAT_MS = 15_000;
const RETRY_MS = 250;

/**
 * The hook that waits, so that the model does not: claims when something is there, long-polls the store while nothing
 * is, beats meanwhile, and gives up when the worker's idle window or its own time is over. What to do next is
 * `nextStopStep`'s to say; this only does it.
 */
export async function askWorkerStop(stop: WorkerStop): Promise<WorkerStopAnswer> {
  const { store, workerId, incarnation } = stop;
  const startedAt = stop.clock.now();
  let known: Known = UNKNOWN;
  let startsAnew = stop.usedTool;
  while (true) {
    const facts = await look(stop, known, stop.clock.now() - startedAt);
    if (startsAnew && (facts.found?.stopBlocks ?? 0) > 0) {
      startsAnew = false;
      await store.updateWorker({ workerId, incarnation, stopBlock: 'clear' });
      continue;
    }
    if (stop.oneTask && facts.found !== null && facts.lease === null) return ONE_TASK_DONE;
    const step = nextStopStep(facts);
    if (step.type === 'claim') {
      const outcome = await tryClaim(stop, facts);
      if (outcome.type === 'claimed') return handOver(stop, outcome, facts.now);
      known = afterClaim(outcome, known);
    } else if (step.type === 'wait') {
      await waitFor(stop, facts, step.untilAt - facts.now);
      if (stop.signal.aborted)
        return { type: 'approve', why: 'interrupted', reason: 'The hook was ended while it waited.' };
      known = UNKNOWN;
    } else return carryOut(stop, step, facts);
  }
}

/** Looks before it claims: a look writes nothing, and most stops of a worker find nothing. */
async function tryClaim(
  { store, workerId, incarnation, newClaimKey }: WorkerStop,
  facts: LookFacts,
): Promise<ClaimOutcome> {
  const seen = await store.readiness(queueOf(facts));
  if (seen.type === 'readiness' && seen.ready === 0) return { ...seen, type: 'empty' };
  return store.claim({ workerId, incarnation, claimKey: newClaimKey(), offerMs: OFFER_MS, ...queueOf(facts) });
}

const ONE_TASK_DONE: WorkerStopAnswer = {
  type: 'approve',
  why: 'oneTask',
  reason: 'Its task is settled; the next one gets a new agent.',
};

/** What the last claim found out. */
interface Known {
  readonly pending: StopFacts['pending'];
  readonly nextDueAt: number | null;
  readonly isStoreAvailable: boolean;
}

const UNKNOWN: Known = { pending: 'unknown', nextDueAt: null, isStoreAvailable: true };

/** Nothing to claim, an account that waits, or a store that is gone; every other refusal is seen at the next look. */
function afterClaim(outcome: Exclude<ClaimOutcome, Claimed>, before: Known): Known {
  if (outcome.type === 'empty') return { ...UNKNOWN, pending: 0, nextDueAt: outcome.nextDueAt };
  if (outcome.type === 'refused' && outcome.reason === 'accountPaused') return { ...UNKNOWN, pending: 0 };
  // refused twice in a row for a reason that does not show: not a worker any more
  return { ...before, pending: 0, isStoreAvailable: outcome.type === 'refused' && before.pending === 'unknown' };
}

/** Until something may be there, but never longer than a beat lasts. */
async function waitFor({ store, clock, signal }: WorkerStop, facts: LookFacts, mostMs: number): Promise<void> {
  const timeoutMs = Math.min(mostMs, HEARTBEAT_MS);
  // what is ready is not for a worker whose account waits
  if ((facts.found?.pausedUntil ?? 0) > facts.now) return clock.sleep(timeoutMs, signal);
  const outcome = await store.waitForWork({ ...queueOf(facts), timeoutMs, signal });
  // others were faster, or it is meant for them: no claim after claim without a breath
  if (outcome.type !== 'timedOut' && facts.pending === 0) await clock.sleep(Math.min(timeoutMs, RETRY_MS), signal);
}

interface LookFacts extends StopFacts {
  readonly found: Worker | null;
  readonly lease: Lease | null;
}

/** A beat, and what the store knows of this worker. */
async function look(stop: WorkerStop, known: Known, waitedMs: number): Promise<LookFacts> {
  const { store, workerId, incarnation, situation, limits } = stop;
  const listed = await store.workers({ workerId });
  const found =
    listed.type === 'workers' ? (listed.workers.find((worker) => worker.incarnation === incarnation) ?? null) : null;
  const lease = found === null ? null : leaseOf(found);
  // the first look at a worker without a task has nothing to report, and may be the last
  const beats = found !== null && (lease !== null || waitedMs > 0);
  const beat = beats ? await store.heartbeat({ workerId, incarnation, ...(lease && { lease }) }) : null;
  const now = listed.type === 'workers' ? listed.now : stop.clock.now();
  const held = lease === null ? null : await heldTask(stop, lease, beat?.type === 'ok' ? beat.deadlineAt : null);
  return {
    now,
    worker: found,
    found,
    lease,
    pending: known.pending,
    nextDueAt: known.nextDueAt,
    isStoreAvailable: listed.type === 'workers' && known.isStoreAvailable,
    situation,
    order: orderOf(beat?.type),
    held,
    answerBy: stop.answerInMs === null ? null : now + stop.answerInMs - waitedMs,
    limits,
  };
}

const ORDERS: Readonly<Record<string, StopOrder>> = { superseded: 'superseded', cancel: 'cancel', drain: 'drain' };
const orderOf = (type: string | undefined): StopOrder | null =>
  type === undefined ? null : (ownValue(ORDERS, type) ?? null);

async function heldTask({ store }: WorkerStop, lease: Lease, deadlineAt: number | null) {
  const found = await store.task({ id: lease.taskId });
  return found.type === 'found' ? { title: found.task.title, deadlineAt } : null;
}

function queueOf({ found }: LookFacts) {
  return found === null ? {} : { queue: found.queue, ...(found.types && { types: found.types }) };
}

/** Deliver, then acknowledge: an answer that never reaches the host must not keep a task from the others. */
function handOver({ store, workerId, incarnation }: WorkerStop, claimed: Claimed, now: number): WorkerStopAnswer {
  const reason = handoverWords(claimed, now);
  return {
    type: 'block',
    reason,
    delivered: async () => {
      await store.acknowledge({ lease: claimed.lease });
      await store.updateWorker({ workerId, incarnation, stopBlock: { reason: `task ${claimed.task.id}` } });
    },
  };
}

async function carryOut(
  stop: WorkerStop,
  step: Exclude<StopStep, { type: 'claim' | 'wait' }>,
  facts: LookFacts,
): Promise<WorkerStopAnswer> {
  const { store, workerId, incarnation } = stop;
  const { now, found, lease } = facts;
  const idle = found === null ? 0 : idleMs(found, now);
  if (step.type === 'block') {
    const remainingMs = found?.idleLimitMs == null ? null : Math.max(0, found.idleLimitMs - idle);
    const held = { taskId: lease?.taskId ?? '', held: facts.held ?? null, now, step };
    const reason = step.why === 'waitOn' ? waitOnWords(remainingMs) : heldWords(held);
    return {
      type: 'block',
      reason,
      delivered: async () =>
        void (await store.updateWorker({ workerId, incarnation, stopBlock: { reason: step.why } })),
    };
  }
  if (step.type === 'abandon') {
    // a start that settles nothing is a try: without this the task would be started again and again
    if (lease !== null) await store.fail({ lease, error: UNSETTLED });
    return { type: 'approve', why: 'abandoned', reason: abandonWords(lease?.taskId ?? '', found?.stopBlocks ?? 0) };
  }
  if (lease !== null && step.release !== undefined) await store.release({ lease, reason: step.release });
  return { type: 'approve', why: step.why, reason: approveWords(step, idle) };
}
