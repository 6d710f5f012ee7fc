import type { ReleaseReason, Worker } from '../../store/types.ts';
import { type IdleWorker, idleSince } from './idleTime.ts';

/** The worker that wants to stop. It cannot claim a task while its account is paused. */
export type StopWorker = IdleWorker &
  Pick<Worker, 'idleLimitMs'> &
  Partial<Pick<Worker, 'id' | 'state' | 'epoch' | 'pausedUntil' | 'stopBlocks'>>;

/** An order for this worker or its task, from the answer to its last heartbeat. */
export type StopOrder = 'superseded' | 'cancel' | 'drain';

/** The task it holds, if more than its id is known. */
export interface HeldTask {
  readonly title: string;
  readonly deadlineAt: number | null;
}

export interface StopLimits {
  /** How often a turn without a tool call is sent back to its task before the task is given up. */
  readonly heldBlocks: number;
  /** How often in a row the host allows a hook to block; a task handed over after that would be dropped. Null: no cap. */
  readonly hostBlocks: number | null;
  /** The host would ignore the next block of this prompt, whatever ran since the last one. */
  readonly spent?: boolean;
}

export const STOP_LIMITS: StopLimits = { heldBlocks: 3, hostBlocks: 8 };

/** Why this stop is never blocked, whatever the queue holds (see `stop/exemptions.ts`). */
export interface StopExemption {
  readonly why: string;
  /** The limit that ended the turn: the worker cannot continue with its task. */
  readonly limit: 'rateLimit' | 'contextLimit' | null;
}

export interface StopStepFacts {
  readonly now: number;
  /** Null: this session does not belong to a known worker. */
  readonly worker: StopWorker | null;
  /** Tasks that this worker could claim now; `unknown` before the first try. */
  readonly pending: number | 'unknown';
  /** When the next task that it could claim is due. */
  readonly nextDueAt?: number | null | undefined;
  readonly isStoreAvailable?: boolean | undefined;
  readonly exemption?: StopExemption | null | undefined;
  readonly order?: StopOrder | null | undefined;
  readonly held?: HeldTask | null | undefined;
  /** When the hook must have answered, some time before its timeout; left out: it can wait forever. */
  readonly answerBy?: number | null | undefined;
  readonly limits?: StopLimits | undefined;
}

/**
 * What a worker's stop hook does next. `claim`: try to claim a task, hand it over and block; without one, decide again with
 * `pending: 0`. `wait`: until that time or until a task may be ready, then decide again. The others are answers. No texts are
 * built here: a simulation calls this a million times.
 */
export type StopStep =
  | { readonly type: 'claim' }
  | { readonly type: 'wait'; readonly untilAt: number; readonly because: 'idleLimit' | 'dueTask' | 'answerBy' }
  /** `holdsTask`: back to its task. `waitOn`: the hook's own time is over before the worker's idle window. */
  | { readonly type: 'block'; readonly why: 'holdsTask' | 'waitOn'; readonly blocksLeft: number }
  /** Fail its task, then let it stop. */
  | { readonly type: 'abandon' }
  | ApproveStep;

/** What ends the hook. */
export type AnswerStep = Exclude<StopStep, { type: 'claim' | 'wait' }>;

interface ApproveStep {
  readonly type: 'approve';
  readonly why: ApproveWhy;
  readonly detail?: string;
  /** How to release its task, if it cannot continue with it. */
  readonly release?: ReleaseReason;
  /** Its account has hit a limit. */
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

/** The order matters: what protects a person or prevents a loop comes before what keeps the worker. */
export function nextStopStep(facts: StopStepFacts): StopStep {
  const { worker, isStoreAvailable = true } = facts;
  if (facts.exemption) return neverBlock(facts.exemption, worker);
  if (!isStoreAvailable) return { type: 'approve', why: 'storeUnavailable' };
  if (worker === null) return { type: 'approve', why: 'noWorker' };
  const over = ended(facts, worker);
  if (over) return over;
  return worker.taskId === null ? withoutTask(facts, worker) : withTask(facts, worker);
}

/** A turn ended by a limit cannot continue with its task; other exemptions only interrupt it for a while. */
function neverBlock({ why, limit }: StopExemption, worker: StopWorker | null): ApproveStep {
  const approve: ApproveStep = { type: 'approve', why: 'neverBlock', detail: why };
  const holds = worker !== null && worker.taskId !== null;
  if (limit === 'rateLimit') {
    return { ...approve, pausesAccount: true, ...(holds && { release: 'rate_limited' as const }) };
  }
  return limit === 'contextLimit' && holds ? { ...approve, release: 'continued' } : approve;
}

/** Its end is already decided; a task that it rightly holds is released without penalty. */
function ended({ order }: StopStepFacts, worker: StopWorker): ApproveStep | null {
  if (order === 'superseded') return { type: 'approve', why: 'superseded' };
  if (order === 'cancel') return { type: 'approve', why: 'cancelled' };
  if (worker.state === 'stopped' || worker.state === 'lost') return { type: 'approve', why: 'ended' };
  if (order !== 'drain' && worker.state !== 'draining') return null;
  return { type: 'approve', why: 'draining', ...(worker.taskId !== null && { release: 'drained' as const }) };
}

function withTask({ now, held, limits = STOP_LIMITS }: StopStepFacts, { stopBlocks = 0 }: StopWorker): StopStep {
  // the supervisor compares the trees and decides whether it was productive
  if (held?.deadlineAt != null && held.deadlineAt <= now) return { type: 'approve', why: 'deadlineOver' };
  const most = Math.min(limits.heldBlocks, limits.hostBlocks ?? Number.POSITIVE_INFINITY);
  if (stopBlocks >= most) return { type: 'abandon' };
  return { type: 'block', why: 'holdsTask', blocksLeft: most - stopBlocks - 1 };
}

function withoutTask(facts: StopStepFacts, worker: StopWorker): StopStep {
  const { now, pending, limits = STOP_LIMITS, answerBy } = facts;
  const { stopBlocks = 0 } = worker;
  const isPaused = (worker.pausedUntil ?? 0) > now;
  const isCapped = limits.spent === true || (limits.hostBlocks !== null && stopBlocks >= limits.hostBlocks);
  // a task handed over in a block that the host overrides would be lost
  if (isCapped) return { type: 'approve', why: 'blockCap' };
  if (!isPaused && (pending === 'unknown' || pending > 0)) return { type: 'claim' };
  if (now >= idleEndAt(worker)) return { type: 'approve', why: 'idle' };
  if (answerBy != null && answerBy <= now) return waitOn(stopBlocks, limits.heldBlocks);
  return waitStep(facts, worker, isPaused);
}

/** An ignored instruction to wait is not repeated forever: the coordinator starts another worker when tasks arrive. */
function waitOn(stopBlocks: number, most: number): StopStep {
  if (stopBlocks >= most) return { type: 'approve', why: 'blockCap' };
  return { type: 'block', why: 'waitOn', blocksLeft: most - stopBlocks - 1 };
}

function waitStep(
  { now, pending, nextDueAt, answerBy }: StopStepFacts,
  worker: StopWorker,
  isPaused: boolean,
): StopStep {
  const dueAt = dueTime(now, isPaused ? (worker.pausedUntil ?? null) : null, pending === 0 ? nextDueAt : now);
  let step: Extract<StopStep, { type: 'wait' }> = { type: 'wait', untilAt: idleEndAt(worker), because: 'idleLimit' };
  if (dueAt < step.untilAt) step = { type: 'wait', untilAt: dueAt, because: 'dueTask' };
  if (answerBy != null && answerBy < step.untilAt) step = { type: 'wait', untilAt: answerBy, because: 'answerBy' };
  return step;
}

/** One sum for the wait and for its end: rounding between the two would wait forever. */
function idleEndAt(worker: StopWorker): number {
  const begun = idleSince(worker);
  return worker.idleLimitMs === null || begun === null ? Number.POSITIVE_INFINITY : begun + worker.idleLimitMs;
}

/** When it could claim a task: one is due and its account is not paused. Infinity when no task is in sight. */
function dueTime(now: number, pausedUntil: number | null, nextDueAt: number | null | undefined): number {
  if (nextDueAt == null) return Number.POSITIVE_INFINITY;
  // a task that is already due was claimed by another worker; the next hint or the limit wakes this one
  const dueAt = Math.max(nextDueAt, pausedUntil ?? 0);
  return dueAt > now ? dueAt : Number.POSITIVE_INFINITY;
}
