import { type FleetAction, whoOf } from './fleetAction.ts';
import type { FleetFacts, FleetWorker } from './fleetFacts.ts';
import { planStarts } from './planStarts.ts';
import { planWorker } from './planWorker.ts';

/**
 * One tick of a coordinator: first act on existing workers, then, where it leads, start missing ones. A slot that is cleared
 * now is filled at the next tick, when its end is recorded and has its delay.
 */
export function planTick(facts: FleetFacts): readonly FleetAction[] {
  return [...facts.workers.flatMap((seen) => planWorker(facts, seen)), ...scaleDown(facts), ...planStarts(facts)];
}

/** Drains workers above the maximum, idle ones first. Below it, idle workers stop themselves. */
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
