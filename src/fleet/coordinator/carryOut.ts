import type { ActionOf, FleetAction } from '../decisions/fleetAction.ts';
import { DEFAULT_LEASE } from '../decisions/leaseTimes.ts';
import { endWorker } from './endWorker.ts';
import { FLEET_DEFAULTS } from './fleetSettings.ts';
import { type ActionContext, emitEnd, workerNamed } from './fleetTick.ts';
import { leaseName } from './leadership.ts';
import { releaseWorker } from './releaseWorker.ts';

type Handlers = {
  readonly [Type in FleetAction['type']]: (context: ActionContext, action: ActionOf<Type>) => Promise<void>;
};

/** Each action names an incarnation, and is refused or does nothing when that one has ended. */
const HANDLERS: Handlers = {
  startWorker: startSlot,
  markSuspect,
  endGroup: endWorker,
  release: releaseWorker,
  deferReclaim,
  endLaunch,
  warn: stalled,
  drain,
};

export async function carryOut(context: ActionContext, action: FleetAction): Promise<void> {
  const handle = HANDLERS[action.type] as (context: ActionContext, action: FleetAction) => Promise<void>;
  await handle(context, action);
}

async function markSuspect(context: ActionContext, action: ActionOf<'markSuspect'>): Promise<void> {
  const { world, settings } = context;
  const { workerId, incarnation, dueAt } = action;
  // the store would take a second call for the second check, even if this host slept in between
  if (workerNamed(context, workerId)?.suspectAt !== null) return;
  const { heartbeatMs: staleAfterMs, graceMs } = settings.lease ?? DEFAULT_LEASE;
  const limits = { staleAfterMs, graceMs, actor: world.holder };
  const outcome = await world.store.reap({ workerId, incarnation, evidence: 'lapsed', ...limits });
  if (outcome.type === 'suspect') world.emit({ type: 'suspect', worker: workerId, dueAt });
}

async function deferReclaim(context: ActionContext, action: ActionOf<'deferReclaim'>): Promise<void> {
  const { world, memory } = context;
  const { workerId, incarnation } = action;
  const reason = 'its process does not end, so it keeps its task';
  const outcome = await world.store.deferReclaim({ workerId, incarnation, reason, actor: world.holder });
  if (outcome.type === 'unavailable') return;
  memory.of(workerId, incarnation).isDeferred = true;
  world.emit({ type: 'deferred', worker: workerId, taskId: workerNamed(context, workerId)?.taskId ?? null });
}

async function endLaunch(context: ActionContext, { workerId: id, incarnation }: ActionOf<'endLaunch'>): Promise<void> {
  const outcome = await context.world.store.endLaunch({ slot: id, incarnation, result: 'launchFailed' });
  if (outcome.type === 'noted') emitEnd(context, { id, incarnation }, 'launchFailed');
}

async function stalled({ world, memory }: ActionContext, action: ActionOf<'warn'>): Promise<void> {
  const { type: stage, workerId, incarnation, silentMs } = action;
  const known = memory.of(workerId, incarnation);
  if (known.isStallReported) return;
  known.isStallReported = true;
  world.emit({ type: 'stalled', worker: workerId, stage, silentMs });
}

async function drain({ world }: ActionContext, { workerId, incarnation, why }: ActionOf<'drain'>): Promise<void> {
  const outcome = await world.store.drainWorker({ workerId, incarnation, actor: world.holder });
  if (outcome.type === 'draining') world.emit({ type: 'draining', worker: workerId, why });
}

/** Reserves the slot, then starts its process: the store refuses a second coordinator before it starts anything. */
async function startSlot(context: ActionContext, action: ActionOf<'startWorker'>): Promise<void> {
  const { settings, world, memory, wake } = context;
  const { slot, leaderEpoch, why } = action;
  const { kind, queue, types, host, accountKey, idleLimitMs } = settings;
  const deadlineMs = FLEET_DEFAULTS.launchDeadlineMs;
  const leader = { name: leaseName(settings.name), holder: world.holder, epoch: leaderEpoch };
  const facts = { kind, queue, types, host, accountKey, idleLimitMs };
  const launch = await world.store.launch({ slot, deadlineMs, leader, ...facts });
  if (launch.type !== 'launching') return;
  const { incarnation } = launch;
  const started = await world.startWorker(slot, incarnation);
  if (started.type === 'notStarted') {
    await world.store.endLaunch({ slot, incarnation, result: 'launchFailed' });
    world.emit({ type: 'notStarted', worker: slot, reason: started.reason });
    return;
  }
  const { pid, pidStart, ended } = started;
  const known = memory.of(slot, incarnation);
  known.wasRunning = true;
  void ended.then((exit) => {
    known.exit = exit;
    wake();
  });
  // the next coordinator must be able to find the process even before it registers
  await world.store.updateWorker({ workerId: slot, incarnation, host, pid, pidStart });
  world.emit({ type: 'started', worker: slot, incarnation, pid, why });
}
