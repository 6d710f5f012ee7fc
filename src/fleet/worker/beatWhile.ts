import type { Lease, Store } from '../../store/types.ts';
import type { Clock } from '../../system/clock.ts';
import type { RunEnding } from '../decisions/restartBudget.ts';
import { heldBy } from './heldBy.ts';
import { type AgentActivity, watchForStall } from './watchForStall.ts';

/** What a beat was answered with that the worker has to obey. */
export type BeatOrder =
  | { readonly type: 'superseded'; readonly ending: RunEnding; readonly reason: string }
  | { readonly type: 'cancel'; readonly ending: RunEnding; readonly reason: string }
  | { readonly type: 'deadline'; readonly ending: RunEnding; readonly reason: string }
  | { readonly type: 'stalled'; readonly ending: RunEnding; readonly reason: string }
  | { readonly type: 'drain'; readonly ending: RunEnding; readonly reason: string };

export interface Beating {
  readonly store: Store;
  readonly clock: Clock;
  readonly workerId: string;
  readonly incarnation: number;
  readonly activity: () => AgentActivity | null;
  readonly drain: AbortSignal;
  readonly over: AbortSignal;
  readonly tell: (sentence: string) => void;
  readonly obey: (order: BeatOrder) => Promise<void>;
}

/** A model call or a build can be silent for half an hour: the beat comes from the process that supervises. */
const BEAT_MS = 15_000;

/** Beats until the agent is gone; what it is told is obeyed once. A store that does not answer is no reason to end anything. */
export async function beatWhile(beating: Beating): Promise<void> {
  const { clock, drain, over, obey, tell } = beating;
  const either = AbortSignal.any([over, drain]);
  const whyStalled = watchForStall({ clock, everyMs: BEAT_MS, tell });
  let seenAt: number | undefined;
  let lease: Lease | null = null;
  let obeyed: Promise<void> | null = null;
  while (!over.aborted) {
    const activity = beating.activity();
    const held = await heldBy(beating.store, beating.workerId, beating.incarnation);
    const said = await beat(beating, held, activity?.at === seenAt ? null : activity);
    const isPaused = said.type === 'pausedUntil';
    const order =
      (await endOf(beating, lease, held)) ??
      orderOf(said, beating) ??
      orderIfStalled(whyStalled({ activity, lease: held, isPaused }));
    seenAt = activity?.at;
    lease = held;
    if (order !== null && obeyed === null) obeyed = obey(order);
    await clock.sleep(BEAT_MS, drain.aborted ? over : either);
  }
  await obeyed;
}

/** A task that it held and holds no more: settled by its agent, or taken from it, which its agent has to be told. */
async function endOf({ store }: Beating, before: Lease | null, now: Lease | null): Promise<BeatOrder | null> {
  if (before === null || before.attemptId === now?.attemptId) return null;
  const found = await store.attempts({ taskId: before.taskId });
  const state = found.type === 'attempts' ? found.attempts.find(({ id }) => id === before.attemptId)?.state : undefined;
  return state === 'cancelled' ? { type: 'cancel', ending: 'clean', reason: 'the task was cancelled' } : null;
}

/** `activity` is what is new. */
function beat({ store, workerId, incarnation }: Beating, lease: Lease | null, activity: AgentActivity | null) {
  const tool = activity?.isBusy ? 'started' : 'ended';
  return store.heartbeat({ workerId, incarnation, ...(lease && { lease }), ...(activity && { tool }) });
}

function orderIfStalled(reason: string | null): BeatOrder | null {
  return reason === null ? null : { type: 'stalled', ending: 'crashed', reason };
}

type Said = Awaited<ReturnType<Store['heartbeat']>>;

function orderOf(said: Said, { clock, drain }: Beating): BeatOrder | null {
  if (said.type === 'superseded')
    return { type: 'superseded', ending: 'clean', reason: 'somebody else has this task or slot' };
  if (said.type === 'cancel') return { type: 'cancel', ending: 'clean', reason: 'the task was cancelled' };
  if (said.type === 'ok' && said.deadlineAt !== null && said.deadlineAt <= clock.now()) {
    return { type: 'deadline', ending: 'crashed', reason: 'the time for the task was over' };
  }
  return said.type === 'drain' || drain.aborted
    ? { type: 'drain', ending: 'drained', reason: 'the worker is drained' }
    : null;
}
