import type { FleetAction } from '../decisions/fleetAction.ts';
import { LIVENESS_LIMITS } from '../decisions/liveness.ts';
import type { ActionContext } from './actionContext.ts';
import { endWorker } from './endWorker.ts';
import { memoryOf } from './fleetMemory.ts';
import { FLEET_DEFAULTS } from './fleetSettings.ts';
import { leaseName } from './leadership.ts';
import { releaseWorker } from './releaseWorker.ts';

type Doers = {
  readonly [Type in FleetAction['type']]: (
    context: ActionContext,
    action: Extract<FleetAction, { type: Type }>,
  ) => Promise<void>;
};

/** One row an action. Each says which incarnation it means, and is refused or changes nothing when that is over. */
const DOERS: Doers = {
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
  const act = DOERS[action.type] as (context: ActionContext, action: FleetAction) => Promise<void>;
  await act(context, action);
}

type Action<Type extends FleetAction['type']> = Extract<FleetAction, { type: Type }>;

async function markSuspect({ world, settings, workers }: ActionContext, action: Action<'markSuspect'>): Promise<void> {
  const { workerId, incarnation, dueAt } = action;
  // asked a second time the store would take it for the second look, whoever slept in between
  if (workers.get(workerId)?.suspectAt !== null) return;
  const { heartbeatMs: staleAfterMs, graceMs } = settings.limits ?? LIVENESS_LIMITS;
  const actor = world.holder;
  const outcome = await world.store.reap({
    workerId,
    incarnation,
    evidence: 'lapsed',
    staleAfterMs,
    graceMs,
    actor,
  });
  if (outcome.type === 'suspect') world.tell({ type: 'suspect', worker: workerId, dueAt });
}

async function deferReclaim({ world, memory, workers }: ActionContext, action: Action<'deferReclaim'>): Promise<void> {
  const { workerId, incarnation } = action;
  const reason = 'its process does not end, so what it holds stays its own';
  const outcome = await world.store.deferReclaim({ workerId, incarnation, reason, actor: world.holder });
  if (outcome.type === 'unavailable') return;
  memoryOf(memory, workerId, incarnation).isDeferred = true;
  world.tell({ type: 'deferred', worker: workerId, taskId: workers.get(workerId)?.taskId ?? null });
}

async function endLaunch(
  { world, memory }: ActionContext,
  { workerId, incarnation }: Action<'endLaunch'>,
): Promise<void> {
  const outcome = await world.store.endLaunch({ slot: workerId, incarnation, result: 'launchFailed' });
  if (outcome.type !== 'noted') return;
  const known = memoryOf(memory, workerId, incarnation);
  known.isEndTold = true;
  const { code = null, signal = null } = known.exit ?? {};
  world.tell({ type: 'ended', worker: workerId, ending: 'launchFailed', exitCode: code, signal });
}

async function stalled({ world, memory }: ActionContext, action: Action<'warn'>): Promise<void> {
  const { type: stage, workerId, incarnation, silentMs } = action;
  const known = memoryOf(memory, workerId, incarnation);
  if (known.told === stage) return;
  known.told = stage;
  world.tell({ type: 'stalled', worker: workerId, stage, silentMs });
}

async function drain({ world }: ActionContext, { workerId, incarnation, why }: Action<'drain'>): Promise<void> {
  const outcome = await world.store.drainWorker({ workerId, incarnation, actor: world.holder });
  if (outcome.type === 'draining') world.tell({ type: 'draining', worker: workerId, why });
}

/** Reserves the slot, then starts its process: of two that try, the store refuses one before it has started anything. */
async function startSlot(context: ActionContext, action: Extract<FleetAction, { type: 'startWorker' }>): Promise<void> {
  const { settings, world, memory, wake } = context;
  const { slot, leaderEpoch, why } = action;
  const { kind, queue, types, host, accountKey, idleLimitMs } = settings;
  const { launchDeadlineMs: deadlineMs = FLEET_DEFAULTS.launchDeadlineMs } = settings;
  const leader = { name: leaseName(settings.name), holder: world.holder, epoch: leaderEpoch };
  const facts = { kind, queue, types, host, accountKey, idleLimitMs };
  const launch = await world.store.launch({ slot, deadlineMs, leader, ...facts });
  if (launch.type !== 'launching') return;
  const { incarnation } = launch;
  const started = await world.startWorker(slot, incarnation);
  if (started.type === 'notStarted') {
    await world.store.endLaunch({ slot, incarnation, result: 'launchFailed' });
    world.tell({ type: 'notStarted', worker: slot, reason: started.reason });
    return;
  }
  const { pid, pidStart, ended } = started;
  const known = memoryOf(memory, slot, incarnation);
  known.wasRunning = true;
  void ended.then((exit) => {
    known.exit = exit;
    wake();
  });
  // whoever comes after us must be able to find it, also before it says a word itself
  await world.store.updateWorker({ workerId: slot, incarnation, host, pid, pidStart });
  world.tell({ type: 'started', worker: slot, incarnation, pid, why });
}
