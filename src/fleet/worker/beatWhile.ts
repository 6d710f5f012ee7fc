import type { Lease, Store } from '../../store/types.ts';
import type { Clock } from '../../system/clock.ts';
import { formatSeconds } from '../../system/formatDuration.ts';
import { DEFAULT_LEASE, type LeaseTimes } from '../decisions/leaseTimes.ts';
import type { RunEnding } from '../decisions/restartBudget.ts';
import type { TreeState } from '../decisions/timeOver.ts';
import { attemptOf, heldAt } from './heldBy.ts';
import { type TimedOut, watchDeadline } from './watchDeadline.ts';
import { type AgentActivity, watchForStall } from './watchForStall.ts';

/** An order in the answer to a heartbeat, which the worker has to obey. */
export type BeatOrder = { readonly ending: RunEnding; readonly reason: string } & (
  | { readonly type: 'superseded' | 'cancel' | 'stalled' | 'drain' | 'cutOff' }
  | { readonly type: 'deadline'; readonly timedOut: TimedOut }
);

export interface Beating {
  readonly store: Store;
  readonly clock: Clock;
  readonly workerId: string;
  readonly incarnation: number;
  /** The last report of the agent's hooks; null when they report nothing. */
  readonly activity: () => AgentActivity | null;
  /** The state of the agent's folder. */
  readonly treeState: () => Promise<TreeState>;
  /** The same, before an agent was started for this task; null when it was handed to a running one. */
  readonly treeAtStart?: (lease: Lease) => TreeState;
  /** Called with what it holds at each heartbeat. */
  readonly holds?: (lease: Lease | null) => Promise<void>;
  /** Called at each heartbeat with what is left of the time of its task; null without a limit. */
  readonly timeLeft?: (leftMs: number | null) => void;
  /** Aborted: finish or release the task. */
  readonly drain: AbortSignal;
  readonly over: AbortSignal;
  readonly report: (sentence: string) => void;
  /** Workers of other machines can take its task when it is silent: it ends its agent before they may. A move can change that. */
  readonly fencesItself: () => boolean;
  /** Default: 3m. */
  readonly lease?: LeaseTimes | undefined;
  /** Delivers the settlements that are kept on this machine. */
  readonly deliver: () => Promise<unknown>;
  readonly obey: (order: BeatOrder) => Promise<void>;
  /** When the last heartbeat was sent that the store accepted; default: now. */
  readonly heardAt?: number;
}

const SOONEST_MS = 500;
const CHECK_EVERY_MS = 1_000;
/** A machine that slept first sends the heartbeat that is due. */
const SLEPT_MS = 10_000;
const AFTER_SLEEP_MS = 5_000;
const cutOffFor = ({ fenceAfterMs }: LeaseTimes): BeatOrder => ({
  type: 'cutOff',
  ending: 'drained',
  reason: `the store could not be reached for ${formatSeconds(fenceAfterMs)}, and its task may soon go to another machine`,
});
const SUPERSEDED: BeatOrder = {
  type: 'superseded',
  ending: 'clean',
  reason: 'another worker has this task or slot',
};
const CANCELLED: BeatOrder = { type: 'cancel', ending: 'clean', reason: 'the task was cancelled' };

/**
 * A model call or a build can be silent for half an hour, so the supervising process sends the heartbeats.
 *
 * Sends heartbeats until the agent is gone and obeys the first order. An unreachable store ends the agent only before its task could
 * go to another machine.
 */
export async function beatWhile(beating: Beating): Promise<void> {
  const { store, clock, drain, over, report, treeState, treeAtStart, lease: times = DEFAULT_LEASE } = beating;
  const { beatMs, fenceAfterMs } = times;
  const either = AbortSignal.any([over, drain]);
  const whyStalled = watchForStall({ clock, everyMs: beatMs, report });
  const checkDeadline = watchDeadline({ store, treeState, treeAtStart, report });
  let seen: AgentActivity | null = null;
  let lease: Lease | null = null;
  let obeyed: Promise<void> | null = null;
  const obey = (order: BeatOrder) => {
    obeyed ??= beating.obey(order);
  };
  let { heardAt = clock.now() } = beating;
  let fenced: Promise<unknown> | null = null;
  const fence = async () => {
    if (await cutOff(clock, () => clock.now() - heardAt >= fenceAfterMs, over)) obey(cutOffFor(times));
  };
  while (!over.aborted) {
    if (beating.fencesItself()) fenced ??= fence();
    const activity = beating.activity();
    const sentAt = clock.now();
    const { lease: found, now } = await heldAt(store, beating.workerId, beating.incarnation);
    const held: Lease | null = now === null ? lease : found;
    if (now !== null) await beating.holds?.(held);
    const answer = await beat(beating, held, activity?.at === seen?.at ? null : activity);
    if (answer.type !== 'unavailable') heardAt = sentAt;
    const isPaused = answer.type === 'pausedUntil';
    const deadlineAt = answer.type === 'ok' ? answer.deadlineAt : await deadlineBeside(answer, beating, held);
    // by the store's clock: this machine's may differ or may have been set
    const leftMs = deadlineAt === null || now === null ? null : deadlineAt - now;
    beating.timeLeft?.(leftMs);
    if (obeyed === null) {
      const order =
        (await endOf(beating, lease, held)) ??
        orderIfOver(await checkDeadline(held, leftMs)) ??
        (await orderOf(answer, beating, held)) ??
        orderIfStalled(whyStalled({ activity, lease: held, isPaused }));
      if (order !== null) obey(order);
    }
    if (answer.type !== 'unavailable') await beating.deliver();
    seen = activity;
    lease = held;
    const nextMs = obeyed === null ? nextBeatMs(leftMs, beatMs) : beatMs;
    await clock.sleep(nextMs, drain.aborted ? over : either);
  }
  await fenced;
  await obeyed;
  // its tool is gone with it: one that never ends would look like work on a task that it no longer holds
  if (seen?.isBusy) await beat(beating, null, { ...seen, isBusy: false });
}

/**
 * Resolves to true when the worker has been cut off from its store for so long that its agent has to end, and to false when it is
 * over.
 */
async function cutOff(clock: Clock, isSilent: () => boolean, over: AbortSignal): Promise<boolean> {
  let checkedAt = clock.now();
  let notBefore = Number.NEGATIVE_INFINITY;
  while (!over.aborted) {
    const now = clock.now();
    if (now - checkedAt > SLEPT_MS) notBefore = now + AFTER_SLEEP_MS;
    checkedAt = now;
    if (isSilent() && now >= notBefore) return true;
    await clock.sleep(CHECK_EVERY_MS, over);
  }
  return false;
}

/** A pause of the account does not give the task more time. */
async function deadlineBeside({ type }: BeatAnswer, { store }: Beating, held: Lease | null): Promise<number | null> {
  if (held === null || type !== 'pausedUntil') return null;
  return (await attemptOf(store, held))?.deadlineAt ?? null;
}

/** At the deadline of its task, if that comes before the next heartbeat. */
function nextBeatMs(leftMs: number | null, beatMs: number): number {
  return leftMs === null ? beatMs : Math.min(beatMs, Math.max(SOONEST_MS, leftMs));
}

/** It no longer holds its task: either the agent settled it, or it was cancelled and the agent must end. */
async function endOf({ store }: Beating, before: Lease | null, now: Lease | null): Promise<BeatOrder | null> {
  if (before === null || before.attemptId === now?.attemptId) return null;
  const attempt = await attemptOf(store, before);
  return attempt?.state === 'cancelled' ? CANCELLED : null;
}

/** `activity`: null when unchanged. */
function beat({ store, workerId, incarnation }: Beating, lease: Lease | null, activity: AgentActivity | null) {
  const tool = activity?.isBusy ? 'started' : 'ended';
  return store.heartbeat({ workerId, incarnation, ...(lease && { lease }), ...(activity && { tool }) });
}

function orderIfOver(timedOut: TimedOut | null): BeatOrder | null {
  if (timedOut === null) return null;
  const reason = 'the time limit of the task has passed';
  return { type: 'deadline', ending: timedOut === 'fail' ? 'crashed' : 'clean', reason, timedOut };
}

function orderIfStalled(reason: string | null): BeatOrder | null {
  return reason === null ? null : { type: 'stalled', ending: 'crashed', reason };
}

type BeatAnswer = Awaited<ReturnType<Store['heartbeat']>>;

async function orderOf(answer: BeatAnswer, beating: Beating, held: Lease | null): Promise<BeatOrder | null> {
  const { drain } = beating;
  if (answer.type === 'superseded') return (await isSettled(answer, beating, held)) ? null : SUPERSEDED;
  if (answer.type === 'cancel') return CANCELLED;
  return answer.type === 'drain' || drain.aborted
    ? { type: 'drain', ending: 'drained', reason: 'the worker is drained' }
    : null;
}

/** Of an attempt that another process has ended. */
const TAKEN: ReadonlySet<string> = new Set(['lost', 'superseded']);

/** Its agent settled the task after this worker had read that it holds it, and before the heartbeat for it arrived. */
async function isSettled(
  { by }: Extract<BeatAnswer, { type: 'superseded' }>,
  { store }: Beating,
  held: Lease | null,
): Promise<boolean> {
  if (by !== 'task' || held === null) return false;
  const attempt = await attemptOf(store, held);
  // without an answer: the next heartbeat is answered the same
  return attempt === null || !TAKEN.has(attempt.state);
}
