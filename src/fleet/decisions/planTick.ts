import { whoOf } from './endGroup.ts';
import type { FleetAction } from './fleetAction.ts';
import type { FleetFacts, FleetWorker } from './fleetFacts.ts';
import { planStarts } from './planStarts.ts';
import { planWorker } from './planWorker.ts';

/**
 * One look of a coordinator. First what is there is brought in order, always; then, where it leads, what is missing is
 * started. A slot that is cleared now is filled at the next look, when its end is on record and has its delay. Nothing to do
 * is an empty list.
 */
export function planTick(facts: FleetFacts): readonly FleetAction[] {
  return [...facts.workers.flatMap((seen) => planWorker(facts, seen)), ...scaleDown(facts), ...planStarts(facts)];
}

/** Above the most, idle ones go first; a busy one takes no more after its task. Below it, idle ones go by themselves. */
function scaleDown({ leaderEpoch, shutdown, workers, most }: FleetFacts): readonly FleetAction[] {
  if (leaderEpoch === null || shutdown !== null) return [];
  const live = workers.filter(({ worker }) => worker.state === 'live');
  const launching = workers.filter(({ worker }) => worker.state === 'launching').length;
  const surplus = Math.max(0, live.length + launching - most);
  return live
    .toSorted((one, other) => Number(isBusy(one)) - Number(isBusy(other)))
    .slice(0, surplus)
    .map((seen) => ({ type: 'drain', ...whoOf(seen), why: 'scaleDown' }));
}

const isBusy = ({ worker }: FleetWorker) => worker.taskId !== null;
