import type { Lease, Store } from '../../store/types.ts';
import type { Clock } from '../../system/clock.ts';
import type { RunEnding } from '../decisions/restartBudget.ts';
import type { TreeState } from '../decisions/timeOver.ts';
import { attemptOf, heldAt } from './heldBy.ts';
import { type TimedOut, watchDeadline } from './watchDeadline.ts';
import { type AgentActivity, watchForStall } from './watchForStall.ts';

/** What a beat was answered with that the worker has to obey. */
export type BeatOrder =
  | { readonly type: 'superseded'; readonly ending: RunEnding; readonly reason: string }
  | { readonly type: 'cancel'; readonly ending: RunEnding; readonly reason: string }
  | { readonly type: 'deadline'; readonly ending: RunEnding; readonly reason: string; readonly timedOut: TimedOut }
  | { readonly type: 'stalled'; readonly ending: RunEnding; readonly reason: string }
  | { readonly type: 'drain'; readonly ending: RunEnding; readonly reason: string };

export interface Beating {
  readonly store: Store;
  readonly clock: Clock;
  readonly workerId: string;
  readonly incarnation: number;
  readonly activity: () => AgentActivity | null;
  readonly treeState: () => Promise<TreeState>;
  readonly drain: AbortSignal;
  readonly over: AbortSignal;
  readonly tell: (sentence: string) => void;
  readonly obey: (order: BeatOrder) => Promise<void>;
}

/** A model call or a build can be silent for half an hour: the beat comes from the process that supervises. */
const BEAT_MS = 15_000;
const SOONEST_MS = 500;

/** Beats until the agent is gone; what it is told is obeyed once. A store that does not answer is no reason to end anything. */
export async function beatWhile(beating: Beating): Promise<void> {
  const { store, clock, drain, over, obey, tell, treeState } = beating;
  const either = AbortSignal.any([over, drain]);
  const whyStalled = watchForStall({ clock, everyMs: BEAT_MS, tell });
  const becomesOf = watchDeadline({ store, treeState, tell });
  let seen: AgentActivity | null = null;
  let lease: Lease | null = null;
  let obeyed: Promise<void> | null = null;
  while (!over.aborted) {
    const activity = beating.activity();
    const { lease: held, now } = await heldAt(store, beating.workerId, beating.incarnation);
    const said = await beat(beating, held, activity?.at === seen?.at ? null : activity);
    const isPaused = said.type === 'pausedUntil';
    const deadlineAt = said.type === 'ok' ? said.deadlineAt : null;
    // by the store's clock: this machine's may be another, or may have been set
    const leftMs = deadlineAt === null || now === null ? null : deadlineAt - now;
    if (obeyed === null) {
      const order =
        (await endOf(beating, lease, held)) ??
        orderIfOver(await becomesOf({ lease: held, leftMs })) ??
        orderOf(said, beating) ??
        orderIfStalled(whyStalled({ activity, lease: held, isPaused }));
      if (order !== null) obeyed = obey(order);
    }
    seen = activity;
    lease = held;
    const nextMs = obeyed === null ? nextBeatMs(leftMs) : BEAT_MS;
    await clock.sleep(nextMs, drain.aborted ? over : either);
  }
  await obeyed;
  // what it ran is gone with it: a tool that nobody ends would be taken for work on a task that it has no more
  if (seen?.isBusy) await beat(beating, null, { ...seen, isBusy: false });
}

/** At the deadline of its task, if that comes before the next beat would. */
function nextBeatMs(leftMs: number | null): number {
  return leftMs === null ? BEAT_MS : Math.min(BEAT_MS, Math.max(SOONEST_MS, leftMs));
}

/** A task that it held and holds no more: settled by its agent, or taken from it, which its agent has to be told. */
async function endOf({ store }: Beating, before: Lease | null, now: Lease | null): Promise<BeatOrder | null> {
  if (before === null || before.attemptId === now?.attemptId) return null;
  const attempt = await attemptOf(store, before);
  return attempt?.state === 'cancelled' ? { type: 'cancel', ending: 'clean', reason: 'the task was cancelled' } : null;
}

/** `activity` is what is new. */
function beat({ store, workerId, incarnation }: Beating, lease: Lease | null, activity: AgentActivity | null) {
  const tool = activity?.isBusy ? 'started' : 'ended';
  return store.heartbeat({ workerId, incarnation, ...(lease && { lease }), ...(activity && { tool }) });
}

const TIME_OVER = 'the time for the task was over';

function orderIfOver(timedOut: TimedOut | null): BeatOrder | null {
  if (timedOut === null) return null;
  return { type: 'deadline', ending: timedOut === 'fail' ? 'crashed' : 'clean', reason: TIME_OVER, timedOut };
}

function orderIfStalled(reason: string | null): BeatOrder | null {
  return reason === null ? null : { type: 'stalled', ending: 'crashed', reason };
}

type Said = Awaited<ReturnType<Store['heartbeat']>>;

function orderOf(said: Said, { drain }: Beating): BeatOrder | null {
  if (said.type === 'superseded')
    return { type: 'superseded', ending: 'clean', reason: 'somebody else has this task or slot' };
  if (said.type === 'cancel') return { type: 'cancel', ending: 'clean', reason: 'the task was cancelled' };
  return said.type === 'drain' || drain.aborted
    ? { type: 'drain', ending: 'drained', reason: 'the worker is drained' }
    : null;
}
