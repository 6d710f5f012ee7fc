import { leaseOf } from '../../store/leaseOf.ts';
import type { ReleaseReason, Worker } from '../../store/types.ts';
import type { DetachedEnd } from '../../system/detachedProcess.ts';
import type { FleetAction } from '../decisions/fleetAction.ts';
import { LIVENESS_LIMITS } from '../decisions/liveness.ts';
import type { RunEnding } from '../decisions/restartBudget.ts';
import type { ActionContext } from './actionContext.ts';
import type { FleetEvent } from './fleetEvent.ts';
import { memoryOf } from './fleetMemory.ts';

/** The exit code of `worker run` when a limit of its account ended it. */
export const RATE_LIMITED_EXIT = 75;

type Release = Extract<FleetAction, { type: 'release' }>;
type ReclaimedAs = Extract<FleetEvent, { type: 'reclaimed' }>['as'];

/** How a task is released that ended without fault. */
interface Blameless {
  readonly reason: ReleaseReason;
  readonly ending: RunEnding;
  readonly as: ReclaimedAs;
}

/** Releases a dead worker's task. Its process is known to be gone, or its lease on another host has expired. */
export async function releaseWorker(context: ActionContext, action: Release): Promise<void> {
  const worker = context.workers.get(action.workerId);
  if (worker?.incarnation !== action.incarnation) return;
  if (action.evidence === 'exited') await context.world.keepLost?.(worker);
  const { exit } = memoryOf(context.memory, worker.id, worker.incarnation);
  const blameless = blamelessEnd(action, exit);
  await (blameless ? handBack(context, worker, blameless, exit) : takeBack(context, worker, action, exit));
}

/** Null: it was lost, which counts, because a task that kills its worker would do so forever. */
function blamelessEnd({ as, evidence }: Release, exit: DetachedEnd | undefined): Blameless | null {
  if (as === 'drained') return { reason: 'drained', ending: 'drained', as: 'drained' };
  if (evidence === 'lapsed' || exit === undefined) return null;
  if (exit.code === RATE_LIMITED_EXIT) return { reason: 'rate_limited', ending: 'rateLimited', as: 'rateLimited' };
  return exit.code === 0 ? { reason: 'continued', ending: 'clean', as: 'continued' } : null;
}

async function handBack(
  { world, memory }: ActionContext,
  worker: Worker,
  { reason, ending, as }: Blameless,
  exit: DetachedEnd | undefined,
): Promise<void> {
  const { id: workerId, incarnation, taskId } = worker;
  const lease = leaseOf(worker);
  const back = lease && (await world.store.release({ lease, reason }));
  if (back?.type === 'unavailable') return;
  const { code: exitCode = null, signal = null } = exit ?? {};
  const stopped = await world.store.stopWorker({ workerId, incarnation, exitCode, exitReason: ending });
  if (stopped.type === 'unavailable') return;
  if (taskId !== null && (back?.type === 'requeued' || back?.type === 'dead')) {
    const taskState = back.type === 'dead' ? 'dead' : 'queued';
    world.emit({ type: 'reclaimed', worker: workerId, taskId, taskState, as });
  }
  memoryOf(memory, workerId, incarnation).isEndReported = true;
  world.emit({ type: 'ended', worker: workerId, ending, exitCode, signal });
}

async function takeBack(context: ActionContext, worker: Worker, { evidence }: Release, exit: DetachedEnd | undefined) {
  const { world, settings } = context;
  const { heartbeatMs: staleAfterMs, graceMs } = settings.limits ?? LIVENESS_LIMITS;
  const { code: exitCode = null, signal = null } = exit ?? {};
  const reaped = await world.store.reap({
    workerId: worker.id,
    incarnation: worker.incarnation,
    evidence,
    staleAfterMs,
    graceMs,
    reason: 'crashed',
    exitCode,
    actor: world.holder,
  });
  if (reaped.type !== 'reaped') return;
  const { task } = reaped;
  if (task) {
    world.emit({ type: 'reclaimed', worker: worker.id, taskId: task.id, taskState: task.state, as: 'lost' });
  }
  memoryOf(context.memory, worker.id, worker.incarnation).isEndReported = true;
  world.emit({ type: 'ended', worker: worker.id, ending: 'crashed', exitCode, signal });
}
