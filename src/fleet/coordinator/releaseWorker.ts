import { leaseOf } from '../../store/leaseOf.ts';
import type { TaskState, Worker } from '../../store/types.ts';
import type { DetachedEnd } from '../../system/detachedProcess.ts';
import type { ActionOf } from '../decisions/fleetAction.ts';
import { DEFAULT_LEASE } from '../decisions/leaseTimes.ts';
import { type ActionContext, emitEnd, workerNamed } from './fleetTick.ts';

/** The exit code of `worker run` when a limit of its account ended it. */
export const RATE_LIMITED_EXIT = 75;

type Release = ActionOf<'release'>;

/** How a task is released that ended without fault. */
const BLAMELESS = {
  drained: { reason: 'drained', ending: 'drained' },
  rateLimited: { reason: 'rate_limited', ending: 'rateLimited' },
  continued: { reason: 'continued', ending: 'clean' },
} as const;

/** Releases a dead worker's task. Its process is known to be gone, or its lease on another host has expired. */
export async function releaseWorker(context: ActionContext, action: Release): Promise<void> {
  const { world, memory } = context;
  const worker = workerNamed(context, action.workerId);
  if (worker?.incarnation !== action.incarnation) return;
  if (action.evidence === 'exited') await world.keepLost?.(worker);
  const { exit } = memory.of(worker.id, worker.incarnation);
  const as = releasedAs(action, exit);
  const exitCode = exit?.code ?? null;
  const released = await (as === 'lost'
    ? takeBack(context, worker, { evidence: action.evidence, exitCode })
    : handBack(context, worker, { ...BLAMELESS[as], exitCode }));
  if (released === null) return;
  const { taskId, taskState } = released;
  if (taskId && taskState) world.emit({ type: 'reclaimed', worker: worker.id, taskId, taskState, as });
  emitEnd(context, { ...worker, exitCode: null }, as === 'lost' ? 'crashed' : BLAMELESS[as].ending);
}

/** `lost` counts, because a task that kills its worker would do so forever. */
function releasedAs({ as, evidence }: Release, exit: DetachedEnd | undefined): keyof typeof BLAMELESS | 'lost' {
  if (as === 'drained') return 'drained';
  if (evidence === 'lapsed' || exit === undefined) return 'lost';
  if (exit.code === RATE_LIMITED_EXIT) return 'rateLimited';
  return exit.code === 0 ? 'continued' : 'lost';
}

/** Null: the store refused it or does not answer. */
type Released = { readonly taskId?: string | null; readonly taskState?: TaskState | undefined } | null;

type Blameless = (typeof BLAMELESS)[keyof typeof BLAMELESS] & { readonly exitCode: number | null };

async function handBack({ world }: ActionContext, worker: Worker, how: Blameless): Promise<Released> {
  const { id: workerId, incarnation, taskId } = worker;
  const lease = leaseOf(worker);
  const back = lease && (await world.store.release({ lease, reason: how.reason }));
  if (back?.type === 'unavailable') return null;
  const { exitCode, ending: exitReason } = how;
  const stopped = await world.store.stopWorker({ workerId, incarnation, exitCode, exitReason });
  if (stopped.type === 'unavailable') return null;
  if (back?.type === 'dead') return { taskId, taskState: 'dead' };
  return back?.type === 'requeued' ? { taskId, taskState: 'queued' } : {};
}

async function takeBack(
  { world, settings }: ActionContext,
  { id, incarnation }: Worker,
  loss: Pick<Release, 'evidence'> & { readonly exitCode: number | null },
): Promise<Released> {
  const { heartbeatMs: staleAfterMs, graceMs } = settings.lease ?? DEFAULT_LEASE;
  const limits = { staleAfterMs, graceMs, reason: 'crashed', actor: world.holder };
  const reaped = await world.store.reap({ workerId: id, incarnation, ...limits, ...loss });
  return reaped.type === 'reaped' ? { taskId: reaped.task?.id ?? null, taskState: reaped.task?.state } : null;
}
