import { whyNeverBlock } from '../../stop/exemptions.ts';
import type { ReleaseReason } from '../../store/types.ts';
import { idleSince } from './idleTime.ts';
import { STOP_LIMITS, type StopFacts, type StopWorker } from './stopFacts.ts';

/**
 * What a worker's stop hook does next. `claim`: try to; with a task, hand it over and block, without one ask again, now
 * knowing that none is pending. `wait`: until then, heartbeating, or until a task may be there; ask again. The others are
 * answers. Nothing here is worded: a simulation asks this a million times.
 */
export type StopStep =
  | { readonly type: 'claim' }
  | { readonly type: 'wait'; readonly untilAt: number; readonly because: 'idleLimit' | 'dueTask' | 'answerBy' }
  /** `holdsTask`: back to it. `waitOn`: the hook's own time is over before the worker's. */
  | { readonly type: 'block'; readonly why: 'holdsTask' | 'waitOn'; readonly blocksLeft: number }
  /** Give its task back, then let it stop. */
  | { readonly type: 'abandon' }
  | ApproveStep;

export interface ApproveStep {
  readonly type: 'approve';
  readonly why: ApproveWhy;
  readonly detail?: string;
  /** How to give back what it holds, where it can go on with it no more. */
  readonly release?: ReleaseReason;
  /** Its account has met a limit. */
  readonly pausesAccount?: boolean;
}

export type ApproveWhy =
  | 'noWorker'
  | 'storeUnavailable'
  | 'neverBlock'
  | 'superseded'
  | 'cancelled'
  | 'draining'
  | 'ended'
  | 'deadlineOver'
  | 'blockCap'
  | 'idle';

/** The order counts: what would fight a person or loop comes before what would keep the worker. */
export function nextStopStep(facts: StopFacts): StopStep {
  const { worker, isStoreAvailable = true } = facts;
  const never = facts.situation && neverBlock(facts.situation, worker);
  if (never) return never;
  if (!isStoreAvailable) return { type: 'approve', why: 'storeUnavailable' };
  if (worker === null) return { type: 'approve', why: 'noWorker' };
  const over = ended(facts, worker);
  if (over) return over;
  return worker.taskId === null ? withoutTask(facts, worker) : withTask(facts, worker);
}

/** A turn that a limit ended cannot go on with its task; whatever else is on the list only puts it down for a while. */
function neverBlock(situation: NonNullable<StopFacts['situation']>, worker: StopWorker | null): ApproveStep | null {
  const detail = whyNeverBlock(situation);
  if (detail === null) return null;
  const approve: ApproveStep = { type: 'approve', why: 'neverBlock', detail };
  const holds = worker !== null && worker.taskId !== null;
  if (situation.endedBy === 'rateLimit') {
    return { ...approve, pausesAccount: true, ...(holds && { release: 'rate_limited' as const }) };
  }
  return situation.endedBy === 'contextLimit' && holds ? { ...approve, release: 'continued' } : approve;
}

/** Somebody has decided already that this worker ends; what it holds by right goes back without penalty. */
function ended({ order }: StopFacts, worker: StopWorker): ApproveStep | null {
  if (order === 'superseded') return { type: 'approve', why: 'superseded' };
  if (order === 'cancel') return { type: 'approve', why: 'cancelled' };
  if (worker.state === 'stopped' || worker.state === 'lost') return { type: 'approve', why: 'ended' };
  if (order !== 'drain' && worker.state !== 'draining') return null;
  return { type: 'approve', why: 'draining', ...(worker.taskId !== null && { release: 'drained' as const }) };
}

function withTask({ now, held, limits = STOP_LIMITS }: StopFacts, { stopBlocks = 0 }: StopWorker): StopStep {
  // whether it was productive is for the supervisor to say, which compares the trees
  if (held?.deadlineAt != null && held.deadlineAt <= now) return { type: 'approve', why: 'deadlineOver' };
  const most = Math.min(limits.heldBlocks, limits.hostBlocks ?? Number.POSITIVE_INFINITY);
  if (stopBlocks >= most) return { type: 'abandon' };
  return { type: 'block', why: 'holdsTask', blocksLeft: most - stopBlocks - 1 };
}

function withoutTask(facts: StopFacts, worker: StopWorker): StopStep {
  const { now, pending, limits = STOP_LIMITS, answerBy } = facts;
  const { stopBlocks = 0 } = worker;
  const isPaused = (worker.pausedUntil ?? 0) > now;
  const isCapped = limits.hostBlocks !== null && stopBlocks >= limits.hostBlocks;
  // a task handed over in a block that the host overrides would be lost on it
  if (isCapped) return { type: 'approve', why: 'blockCap' };
  if (!isPaused && (pending === 'unknown' || pending > 0)) return { type: 'claim' };
  if (now >= idleEndAt(worker)) return { type: 'approve', why: 'idle' };
  if (answerBy != null && answerBy <= now) return waitOn(stopBlocks, limits.heldBlocks);
  return waitStep(facts, worker, isPaused);
}

/** An instruction to wait that was not heeded is not repeated for ever: the coordinator starts another when tasks come. */
function waitOn(stopBlocks: number, most: number): StopStep {
  if (stopBlocks >= most) return { type: 'approve', why: 'blockCap' };
  return { type: 'block', why: 'waitOn', blocksLeft: most - stopBlocks - 1 };
}

type WaitStep = Extract<StopStep, { type: 'wait' }>;

function waitStep({ now, pending, nextDueAt, answerBy }: StopFacts, worker: StopWorker, isPaused: boolean): StopStep {
  const dueAt = dueMoment(now, isPaused ? (worker.pausedUntil ?? null) : null, pending === 0 ? nextDueAt : now);
  let step: WaitStep = { type: 'wait', untilAt: idleEndAt(worker), because: 'idleLimit' };
  if (dueAt < step.untilAt) step = { type: 'wait', untilAt: dueAt, because: 'dueTask' };
  if (answerBy != null && answerBy < step.untilAt) step = { type: 'wait', untilAt: answerBy, because: 'answerBy' };
  return step;
}

/** The same sum for the wait and for its end: a rounding between the two would wait for ever. */
function idleEndAt(worker: StopWorker): number {
  const begun = idleSince(worker);
  return worker.idleLimitMs === null || begun === null ? Number.POSITIVE_INFINITY : begun + worker.idleLimitMs;
}

/** When it could claim something: a task is due and its account is not paused. Endless when nothing is in sight. */
function dueMoment(now: number, pausedUntil: number | null, nextDueAt: number | null | undefined): number {
  if (nextDueAt == null) return Number.POSITIVE_INFINITY;
  // what is due by now was claimed by somebody else; the next hint or the limit wakes it
  const dueAt = Math.max(nextDueAt, pausedUntil ?? 0);
  return dueAt > now ? dueAt : Number.POSITIVE_INFINITY;
}
