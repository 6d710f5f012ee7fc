import type { Worker } from '../../store/types.ts';
import { isSameHost } from '../../system/thisHost.ts';
import { DEFAULT_LEASE, type LeaseTimes } from './leaseTimes.ts';
import { decideStall, type StallStage } from './stall.ts';

/**
 * What the operating system reports about a worker's process; a pid with another start time is `gone`.
 * `orphaned`: it is gone, but processes that it started live on and may still write.
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
  /** `hooks`: no heartbeat comes during a tool or a model call, so a missing one means nothing. */
  readonly beatsFrom?: 'timer' | 'hooks' | undefined;
  /** `nothing`: no hook reports progress, so only the time budget of its task bounds it. */
  readonly activityFrom?: 'hooks' | 'nothing' | undefined;
  /** Null while it holds a task. */
  readonly idleSince?: number | null | undefined;
  readonly idleLimitMs?: number | null | undefined;
};

export interface LivenessFacts {
  readonly now: number;
  readonly worker: WatchedWorker;
  readonly host: string;
  readonly process: ProcessSight;
  /** See `observer.ts`. */
  readonly awakeSince: number;
  /** When another process ended the task that it works on. */
  readonly taskEndedAt?: number | undefined;
  /** Since when it has been stopped or lost while its process still runs. */
  readonly overSince?: number | null | undefined;
  /** Its group was killed and is still there. */
  readonly wouldNotDie?: boolean | undefined;
  /** Default: 3m. */
  readonly lease?: LeaseTimes | undefined;
}

/** `outlived`: its task or the worker itself has already ended. `overstayed`: it should have stopped when idle. */
export type MustEndWhy = 'silent' | 'outlived' | 'orphaned' | 'overstayed';

export type Liveness =
  | { readonly type: 'alive' }
  /** Stopped or lost: nothing to watch. */
  | { readonly type: 'over' }
  | { readonly type: 'launching'; readonly untilAt: number }
  | { readonly type: 'launchFailed' }
  /** Its process is known to be gone: its task can be reclaimed immediately. */
  | { readonly type: 'ended' }
  /** No worker is judged before a whole heartbeat window was watched. */
  | { readonly type: 'suspended'; readonly untilAt: number }
  | { readonly type: 'paused'; readonly untilAt: number }
  | { readonly type: 'suspect'; readonly dueAt: number }
  /** On another host, and its lease has expired: its task can be reclaimed. */
  | { readonly type: 'lost' }
  /** On this host: end its group and confirm it before its task is handed to another worker. */
  | { readonly type: 'mustEnd'; readonly why: MustEndWhy }
  /** It keeps its task: two writers in one worktree are worse than a task that waits. */
  | { readonly type: 'reclaimDeferred' }
  | { readonly type: 'stalled'; readonly stage: StallStage; readonly silentMs: number };

/** Dead, silent, stalled or well? The heartbeat shows that it lives, the activity that it makes progress. */
export function decideLiveness(facts: LivenessFacts): Liveness {
  const { worker, process, awakeSince, lease = DEFAULT_LEASE } = facts;
  const isHere = isSameHost(worker.host, facts.host);
  if (isOver(worker)) return isHere ? over(facts) : { type: 'over' };
  // the operating system knows its own processes; no clock needed
  if (isHere && process === 'gone') return worker.state === 'launching' ? { type: 'launchFailed' } : { type: 'ended' };
  if (isHere && process === 'orphaned') {
    return facts.wouldNotDie ? { type: 'reclaimDeferred' } : { type: 'mustEnd', why: 'orphaned' };
  }
  const calmAt = awakeSince + lease.heartbeatMs;
  if (worker.state === 'launching') return launching(facts, isHere, calmAt);
  if (facts.wouldNotDie && isHere && process === 'running') return { type: 'reclaimDeferred' };
  return heartbeat(facts, isHere, calmAt) ?? outlived(facts, isHere) ?? progress(facts, calmAt);
}

/** Its incarnation has ended. */
export const isOver = ({ state }: Pick<Worker, 'state'>) => state === 'stopped' || state === 'lost';

/** How long a process may take to exit after its worker has stopped. */
const EXIT_MS = 30_000;

/** A process that outlives its worker would work beside the slot's next worker. */
function over({ now, process, overSince, wouldNotDie }: LivenessFacts): Liveness {
  const isThere = process === 'running' || process === 'orphaned';
  if (!isThere || wouldNotDie || overSince == null || now - overSince <= EXIT_MS) return { type: 'over' };
  return { type: 'mustEnd', why: 'outlived' };
}

/** A process that runs and has not registered waits for the store, such as for a free connection: ending it would help no one. */
const UNREGISTERED_MS = 10 * 60_000;

/** A new worker has no heartbeat yet; its launch deadline does not count while no coordinator watched. */
function launching({ now, worker, process }: LivenessFacts, isHere: boolean, calmAt: number): Liveness {
  const untilAt = (worker.launchUntil ?? calmAt) + (isHere && process === 'running' ? UNREGISTERED_MS : 0);
  if (now <= untilAt) return { type: 'launching', untilAt };
  return now < calmAt ? { type: 'suspended', untilAt: calmAt } : { type: 'launchFailed' };
}

/** Null when it has a recent heartbeat, or when a missing one means nothing. */
function heartbeat(facts: LivenessFacts, isHere: boolean, calmAt: number): Liveness | null {
  const { now, worker, process, lease = DEFAULT_LEASE } = facts;
  const { beatsFrom = 'timer', heartbeatAt, suspectAt } = worker;
  // workers of a paused account are silent, and get a full window after the pause
  if (now - Math.max(heartbeatAt, worker.pausedUntil ?? 0) <= lease.heartbeatMs) return null;
  if (beatsFrom === 'hooks' && isHere && process === 'running') return null;
  if (now < calmAt) return { type: 'suspended', untilAt: calmAt };
  // a suspicion from before a gap is as stale as the heartbeats from before it
  const since = suspectAt === null ? now : Math.max(suspectAt, facts.awakeSince);
  const dueAt = since + lease.graceMs;
  if (suspectAt === null || now < dueAt) return { type: 'suspect', dueAt };
  return isHere && process === 'running' ? { type: 'mustEnd', why: 'silent' } : { type: 'lost' };
}

/** It is alive, but its task has ended or belongs to another worker. Its heartbeat reported that, and it had time to obey. */
function outlived({ now, taskEndedAt, lease = DEFAULT_LEASE }: LivenessFacts, isHere: boolean): Liveness | null {
  if (taskEndedAt === undefined || now - taskEndedAt <= lease.heartbeatMs) return null;
  return isHere ? { type: 'mustEnd', why: 'outlived' } : { type: 'lost' };
}

function progress({ now, worker, awakeSince }: LivenessFacts, calmAt: number): Liveness {
  const { pausedUntil, taskId, activityAt, lastClaimedAt, toolStartedAt } = worker;
  // it waits for its account, as instructed
  if (pausedUntil !== null && pausedUntil > now) return { type: 'paused', untilAt: pausedUntil };
  if (now < calmAt) return { type: 'alive' };
  if (taskId === null) return overstays(worker, now, awakeSince) ? OVERSTAYED : { type: 'alive' };
  // its hooks have reported nothing: they may be switched off, so silence means nothing
  if (worker.activityFrom === 'nothing' || worker.sessionId === null) return { type: 'alive' };
  // time spent waiting for a task does not count
  const since = Math.max(activityAt, lastClaimedAt ?? 0, pausedUntil ?? 0, awakeSince);
  const stall = decideStall({ now, activityAt: since, toolStartedAt, graceMs: SUPERVISOR_MS });
  return stall === null ? { type: 'alive' } : { type: 'stalled', ...stall };
}

/** Its supervisor acts first: it ends only the agent and keeps its work, a coordinator ends the whole worker. */
const SUPERVISOR_MS = 5 * 60_000;

const OVERSTAYED: Liveness = { type: 'mustEnd', why: 'overstayed' };
/** An agent that may stop can still write a last message. */
const OVERSTAY_MS = 5 * 60_000;

/** A worker stops when its idle window is over; one that is alive long after that hangs. */
function overstays({ idleSince, idleLimitMs, pausedUntil }: WatchedWorker, now: number, awakeSince: number): boolean {
  if (idleSince == null || idleLimitMs == null) return false;
  return now - Math.max(idleSince, pausedUntil ?? 0, awakeSince) > idleLimitMs + OVERSTAY_MS;
}
