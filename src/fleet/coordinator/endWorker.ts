import { endGroup, type FleetAction } from '../decisions/fleetAction.ts';
import type { FleetFacts } from '../decisions/fleetFacts.ts';
import { handBackAt } from '../decisions/planWorker.ts';
import type { ActionContext } from './actionContext.ts';
import { memoryOf } from './fleetMemory.ts';
import { FLEET_DEFAULTS } from './fleetSettings.ts';

/** Of the remaining shutdown window, so that there is time to confirm the end and to hand back the task. */
const SHARE_OF_WINDOW = 0.4;
const LEAST_GRACE_MS = 500;

/** Starts ending a worker's processes without waiting, so that other workers are handled meanwhile. */
export async function endWorker(
  context: ActionContext,
  action: Extract<FleetAction, { type: 'endGroup' }>,
): Promise<void> {
  const { settings, world, memory, facts, wake } = context;
  const { workerId: id, incarnation, pid, pidStart, why } = action;
  const known = memoryOf(memory, id, incarnation);
  known.isEnding = true;
  world.emit({ type: 'ending', worker: id, why });
  const graceMs = graceFor(facts, settings.graceMs ?? FLEET_DEFAULTS.graceMs);
  void world.processes.end({ id, incarnation, pid, pidStart }, graceMs).then((isGone) => {
    known.isEnding = false;
    known.wouldNotDie = !isGone;
    wake();
  });
}

function graceFor({ now, shutdown }: FleetFacts, graceMs: number): number {
  if (shutdown === null) return graceMs;
  return Math.max(LEAST_GRACE_MS, Math.min(graceMs, (shutdown.deadlineAt - now) * SHARE_OF_WINDOW));
}

interface UnseenShutdown {
  /** By the same clock as the shutdown's times. */
  readonly now: number;
  readonly shutdown: NonNullable<FleetFacts['shutdown']>;
}

/**
 * A shutdown without a reachable store still ends the workers last seen on this host: a worker that hangs while it holds the
 * store's lock would otherwise keep the store from answering and itself from being ended.
 */
export async function endUnseen(lastSeen: ActionContext, { now, shutdown }: UnseenShutdown): Promise<void> {
  if (now < handBackAt(shutdown)) return;
  const { world, memory, facts } = lastSeen;
  const context = { ...lastSeen, facts: { ...facts, now, shutdown } };
  for (const seen of facts.workers) {
    const { id, incarnation, host, pid, pidStart } = seen.worker;
    if (host !== facts.host) continue;
    const { isEnding } = memoryOf(memory, id, incarnation);
    const process = world.processes.sight({ id, incarnation, pid, pidStart });
    for (const action of endGroup({ ...seen, process, isEnding }, 'shutdown')) {
      if (action.type === 'endGroup') await endWorker(context, action);
    }
  }
}
