import type { FleetAction } from '../decisions/fleetAction.ts';
import type { ActionContext } from './actionContext.ts';
import { memoryOf } from './fleetMemory.ts';
import { FLEET_DEFAULTS } from './fleetSettings.ts';
import { leaseName } from './leadership.ts';

/** Reserves the slot, then starts its process: of two that try, the store refuses one before it has started anything. */
export async function startSlot(
  context: ActionContext,
  action: Extract<FleetAction, { type: 'startWorker' }>,
): Promise<void> {
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
