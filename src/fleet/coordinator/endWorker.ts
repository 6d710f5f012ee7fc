import { isSameHost } from '../../system/thisHost.ts';
import { type ActionOf, endGroup } from '../decisions/fleetAction.ts';
import type { FleetFacts, FleetWorker } from '../decisions/fleetFacts.ts';
import { handBackAt } from '../decisions/planWorker.ts';
import { FLEET_DEFAULTS } from './fleetSettings.ts';
import type { ActionContext } from './fleetTick.ts';

/** Of the remaining shutdown window, so that there is time to confirm the end and to hand back the task. */
const SHARE_OF_WINDOW = 0.4;
const LEAST_GRACE_MS = 500;

/** Starts ending a worker's processes without waiting, so that other workers are handled meanwhile. */
export async function endWorker(context: ActionContext, action: ActionOf<'endGroup'>): Promise<void> {
  const { world, memory, facts, wake } = context;
  const { workerId: id, incarnation, pid, pidStart, why } = action;
  const known = memory.of(id, incarnation);
  known.isEnding = true;
  world.emit({ type: 'ending', worker: id, why });
  void world.processes.end({ id, incarnation, pid, pidStart }, graceFor(facts)).then((isGone) => {
    known.isEnding = false;
    known.wouldNotDie = !isGone;
    wake();
  });
}

function graceFor({ now, shutdown }: FleetFacts): number {
  const { graceMs } = FLEET_DEFAULTS;
  if (shutdown === null) return graceMs;
  return Math.max(LEAST_GRACE_MS, Math.min(graceMs, (shutdown.deadlineAt - now) * SHARE_OF_WINDOW));
}

/** The workers last seen on this host that still run. */
export function stillRunning({ world, facts }: ActionContext): readonly FleetWorker[] {
  return facts.workers.filter(({ worker }) => {
    const process = isSameHost(worker.host, facts.host) ? world.processes.sight(worker) : 'gone';
    return process === 'running' || process === 'orphaned';
  });
}

/** Drains them by a signal: the store, which would order it, does not answer. */
export function drainUnseen(lastSeen: ActionContext): void {
  const { world, memory } = lastSeen;
  for (const { worker } of stillRunning(lastSeen)) {
    const known = memory.of(worker.id, worker.incarnation);
    if (known.isSignalled) continue;
    known.isSignalled = true;
    world.processes.drain(worker);
    world.emit({ type: 'draining', worker: worker.id, why: 'shutdown' });
  }
}

/**
 * A shutdown without a reachable store still ends the workers last seen on this host: a worker that hangs while it holds the
 * store's lock would otherwise keep the store from answering and itself from being ended. `now` is by the clock of its times.
 */
export async function endUnseen(
  lastSeen: ActionContext,
  { now, shutdown }: { readonly now: number; readonly shutdown: NonNullable<FleetFacts['shutdown']> },
): Promise<void> {
  if (now < handBackAt(shutdown)) return;
  const { world, memory, facts } = lastSeen;
  const context = { ...lastSeen, facts: { ...facts, now, shutdown } };
  for (const seen of facts.workers.filter(({ worker }) => isSameHost(worker.host, facts.host))) {
    const { isEnding } = memory.of(seen.worker.id, seen.worker.incarnation);
    const process = world.processes.sight(seen.worker);
    for (const action of endGroup({ ...seen, process, isEnding }, 'shutdown')) await endWorker(context, action);
  }
}
