import type { TaskState, Worker } from '../../store/types.ts';
import { decideStall, type StallStage } from './stall.ts';

/**
 * What the operating system says of the process that a worker registered; a pid with another start time is `gone`.
 * `orphaned`: it is gone itself, but what it started lives on and may still write.
 */
export type ProcessSight = 'running' | 'orphaned' | 'gone' | 'unknown';

export type WatchedWorker = Pick<
  Worker,
  | 'state'
  | 'host'
  | 'launchUntil'
  | 'heartbeatAt'
  | 'activityAt'
  | 'toolStartedAt'
  | 'lastClaimedAt'
  | 'sessionId'
  | 'suspectAt'
  | 'taskId'
  | 'pausedUntil'
> & {
  /** `hooks`: nobody beats for it while a tool or a model call is silent, so its heartbeat says nothing. */
  readonly beatsFrom?: 'timer' | 'hooks' | undefined;
  /** `nothing`: no hook tells when it gets on, so its activity says nothing; the time budget of its task is its bound. */
  readonly activityFrom?: 'hooks' | 'nothing' | undefined;
  /** Null while it holds a task. */
  readonly idleSince?: number | null | undefined;
  readonly idleLimitMs?: number | null | undefined;
};

export interface LivenessLimits {
  /** Beats come every 15 to 20 s. */
  readonly heartbeatMs: number;
  /** From suspect to lost. */
  readonly graceMs: number;
}

export const LIVENESS_LIMITS: LivenessLimits = { heartbeatMs: 2 * 60_000, graceMs: 60_000 };

export interface LivenessFacts {
  readonly now: number;
  readonly worker: WatchedWorker;
  /** Where the observer runs. */
  readonly host: string;
  readonly process: ProcessSight;
  /** See `observer.ts`. */
  readonly awakeSince: number;
  /** The task it works on, as the store has it, and since when it has been so. */
  readonly task?:
    | { readonly state: TaskState; readonly isItsOwn: boolean; readonly changedAt: number }
    | null
    | undefined;
  /** Since when it has been stopped or lost while its process was still seen. */
  readonly overSince?: number | null | undefined;
  /** Set when its group was ended and did not go. */
  readonly wouldNotDie?: boolean | undefined;
  readonly limits?: LivenessLimits | undefined;
}

/** `outlived`: its task or its own end came before. `overstayed`: it should have let itself go for being idle. */
export type MustEndWhy = 'silent' | 'outlived' | 'orphaned' | 'overstayed';

export type Liveness =
  | { readonly type: 'alive' }
  /** Stopped or lost before: nothing to watch. */
  | { readonly type: 'over' }
  | { readonly type: 'launching'; readonly untilAt: number }
  | { readonly type: 'launchFailed' }
  /** Its process is known to be gone: its task can go back at once. */
  | { readonly type: 'ended' }
  /** Nobody is judged before a whole heartbeat window was watched. */
  | { readonly type: 'suspended'; readonly untilAt: number }
  | { readonly type: 'paused'; readonly untilAt: number }
  | { readonly type: 'suspect'; readonly dueAt: number }
  /** On another host, and its lease has passed: its task can go back. */
  | { readonly type: 'lost' }
  /** On this host: end its group and confirm it, before anything of it is given to another. */
  | { readonly type: 'mustEnd'; readonly why: MustEndWhy }
  /** Its task stays its own: two writers in one work tree are worse than a task that waits. */
  | { readonly type: 'reclaimDeferred' }
  | { readonly type: 'stalled'; readonly stage: StallStage; readonly silentMs: number };

/** Dead, silent, stalled or well? Two clocks: the heartbeat says that it lives, the activity that it gets on. */
export function decideLiveness(facts: LivenessFacts): Liveness {
  const { now, worker, process, awakeSince, limits = LIVENESS_LIMITS } = facts;
  const isHere = worker.host === facts.host;
  if (worker.state === 'stopped' || worker.state === 'lost') return isHere ? over(facts) : { type: 'over' };
  // what the system says of its own processes needs no clock
  if (isHere && process === 'gone') return worker.state === 'launching' ? { type: 'launchFailed' } : { type: 'ended' };
  if (isHere && process === 'orphaned') {
    return facts.wouldNotDie ? { type: 'reclaimDeferred' } : { type: 'mustEnd', why: 'orphaned' };
  }
  const calmAt = awakeSince + limits.heartbeatMs;
  if (worker.state === 'launching') return launching(worker, now, calmAt);
  if (facts.wouldNotDie && isHere && process === 'running') return { type: 'reclaimDeferred' };
  const silence = heartbeat(facts, isHere, calmAt, limits);
  if (silence) return silence;
  return outlived(facts, isHere, limits) ?? progress(facts, calmAt);
}

/** How long a process may take to leave after its worker has said goodbye. */
const LEAVE_MS = 30_000;

/** A process that stays after its worker's end would work beside the next one of its slot. */
function over({ now, process, overSince, wouldNotDie }: LivenessFacts): Liveness {
  const isThere = process === 'running' || process === 'orphaned';
  if (!isThere || wouldNotDie || overSince == null || now - overSince <= LEAVE_MS) return { type: 'over' };
  return { type: 'mustEnd', why: 'outlived' };
}

/** A newborn has beaten nothing yet; it has a deadline of its own, which does not run while nobody watched. */
function launching({ launchUntil }: WatchedWorker, now: number, calmAt: number): Liveness {
  const untilAt = launchUntil ?? calmAt;
  if (now <= untilAt) return { type: 'launching', untilAt };
  return now < calmAt ? { type: 'suspended', untilAt: calmAt } : { type: 'launchFailed' };
}

/** Null when it has been heard of, or when its silence says nothing. */
function heartbeat(facts: LivenessFacts, isHere: boolean, calmAt: number, limits: LivenessLimits): Liveness | null {
  const { now, worker, process } = facts;
  const { beatsFrom = 'timer', heartbeatAt, suspectAt } = worker;
  // an account that waits makes its workers silent, and gives them a window to be heard of again
  if (now - Math.max(heartbeatAt, worker.pausedUntil ?? 0) <= limits.heartbeatMs) return null;
  if (beatsFrom === 'hooks' && isHere && process === 'running') return null;
  if (now < calmAt) return { type: 'suspended', untilAt: calmAt };
  // suspicion from before a gap is as old as the beats from before it
  const since = suspectAt === null ? now : Math.max(suspectAt, facts.awakeSince);
  const dueAt = since + limits.graceMs;
  if (suspectAt === null || now < dueAt) return { type: 'suspect', dueAt };
  return isHere && process === 'running' ? { type: 'mustEnd', why: 'silent' } : { type: 'lost' };
}

/** It beats, but what it works on has ended or is another's. It was told so with its next beat and had time to obey. */
function outlived({ now, task }: LivenessFacts, isHere: boolean, limits: LivenessLimits): Liveness | null {
  const isOver = task != null && (!task.isItsOwn || (task.state !== 'claimed' && task.state !== 'verifying'));
  if (!isOver || now - task.changedAt <= limits.heartbeatMs) return null;
  return isHere ? { type: 'mustEnd', why: 'outlived' } : { type: 'lost' };
}

function progress({ now, worker, awakeSince }: LivenessFacts, calmAt: number): Liveness {
  const { pausedUntil, taskId, activityAt, lastClaimedAt, toolStartedAt } = worker;
  // it waits for its account, and is told to
  if (pausedUntil !== null && pausedUntil > now) return { type: 'paused', untilAt: pausedUntil };
  if (now < calmAt) return { type: 'alive' };
  if (taskId === null) return overstays(worker, now, awakeSince) ? MUST_GO : { type: 'alive' };
  // no hook of its agent has said a word: they may be switched off, and then its silence says nothing
  if (worker.activityFrom === 'nothing' || worker.sessionId === null) return { type: 'alive' };
  // one that waited for a task for hours was silent for as long
  const since = Math.max(activityAt, lastClaimedAt ?? 0, pausedUntil ?? 0, awakeSince);
  const stall = decideStall({ now, activityAt: since, toolStartedAt, graceMs: SUPERVISOR_MS });
  return stall === null ? { type: 'alive' } : { type: 'stalled', ...stall };
}

/** Who supervises it ends the agent alone and keeps its work; a coordinator ends all of the worker. */
const SUPERVISOR_MS = 5 * 60_000;

const MUST_GO: Liveness = { type: 'mustEnd', why: 'overstayed' };
/** An agent that is allowed to stop may still say a last word. */
const OVERSTAY_MS = 5 * 60_000;

/** It lets itself go when its idle window is over; one that beats long after that hangs. */
function overstays({ idleSince, idleLimitMs, pausedUntil }: WatchedWorker, now: number, awakeSince: number): boolean {
  if (idleSince == null || idleLimitMs == null) return false;
  return now - Math.max(idleSince, pausedUntil ?? 0, awakeSince) > idleLimitMs + OVERSTAY_MS;
}
