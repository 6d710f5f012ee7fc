import type { ActionWorker, EndWhy, FleetAction } from './fleetAction.ts';
import type { FleetWorker } from './fleetFacts.ts';

/** Nothing where there is no process to end, or where it is being ended. */
export function endGroup(seen: FleetWorker, why: EndWhy): readonly FleetAction[] {
  const { worker, process, isEnding } = seen;
  if (isEnding || worker.pid === null || process === 'gone') return [];
  return [{ type: 'endGroup', ...whoOf(seen), pid: worker.pid, pidStart: worker.pidStart, why }];
}

export function whoOf({ worker }: FleetWorker): ActionWorker {
  return { workerId: worker.id, incarnation: worker.incarnation };
}
