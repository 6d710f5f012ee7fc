import { endGroup } from '../decisions/endGroup.ts';
import type { FleetFacts } from '../decisions/fleetFacts.ts';
import { handBackAt } from '../decisions/planShutdown.ts';
import type { ActionContext } from './actionContext.ts';
import { endWorker } from './endWorker.ts';
import { memoryOf } from './fleetMemory.ts';

export interface UnseenShutdown {
  /** By the same clock as the shutdown's moments. */
  readonly now: number;
  readonly shutdown: NonNullable<FleetFacts['shutdown']>;
}

/**
 * A shutdown whose store cannot be asked. What was last seen running here is ended all the same, in the part of the window that
 * is kept for it: somebody wants this host quiet, and a worker that hangs with the store's lock in its hands would otherwise
 * keep the store from answering and itself from being ended.
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
