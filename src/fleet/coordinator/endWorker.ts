import type { FleetAction } from '../decisions/fleetAction.ts';
import type { FleetFacts } from '../decisions/fleetFacts.ts';
import type { ActionContext } from './actionContext.ts';
import { memoryOf } from './fleetMemory.ts';
import { FLEET_DEFAULTS } from './fleetSettings.ts';

/** Of what is left of a shutdown's window, so that there is time to confirm the end and to hand its task back. */
const SHARE_OF_WINDOW = 0.4;
const LEAST_GRACE_MS = 500;

/** Begins to end a worker's processes and does not wait: others are looked after meanwhile. */
export async function endWorker(
  context: ActionContext,
  action: Extract<FleetAction, { type: 'endGroup' }>,
): Promise<void> {
  const { settings, world, memory, facts, wake } = context;
  const { workerId: id, incarnation, pid, pidStart, why } = action;
  const known = memoryOf(memory, id, incarnation);
  known.isEnding = true;
  world.tell({ type: 'ending', worker: id, why });
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
