import { endGroup, whoOf } from './endGroup.ts';
import type { FleetAction } from './fleetAction.ts';
import type { FleetFacts, FleetWorker } from './fleetFacts.ts';
import { decideLiveness, type Liveness } from './liveness.ts';
import { planShutdown } from './planShutdown.ts';

/** What is to be done about one worker, whatever the fleet needs. */
export function planWorker(facts: FleetFacts, seen: FleetWorker): readonly FleetAction[] {
  const { now, host, awakeSince, limits, shutdown } = facts;
  const { worker, process, task, overSince, wouldNotDie } = seen;
  const verdict = decideLiveness({ now, worker, host, process, awakeSince, task, overSince, wouldNotDie, limits });
  // only the leader speaks for hosts that are not its own
  if (worker.host !== host && facts.leaderEpoch === null) return [];
  if (shutdown !== null && worker.host === host) return planShutdown({ now, shutdown, seen, verdict });
  return actionsFor(verdict, seen);
}

function actionsFor(verdict: Liveness, seen: FleetWorker): readonly FleetAction[] {
  const who = whoOf(seen);
  if (verdict.type === 'suspect') return [{ type: 'markSuspect', ...who, dueAt: verdict.dueAt }];
  if (verdict.type === 'ended') return [{ type: 'release', ...who, evidence: 'exited', as: 'lost' }];
  if (verdict.type === 'lost') return [{ type: 'release', ...who, evidence: 'lapsed', as: 'lost' }];
  if (verdict.type === 'launchFailed') return [...endGroup(seen, 'launchFailed'), { type: 'endLaunch', ...who }];
  if (verdict.type === 'mustEnd') return endGroup(seen, verdict.why);
  if (verdict.type === 'reclaimDeferred') return seen.isDeferred ? [] : [{ type: 'deferReclaim', ...who }];
  if (verdict.type === 'stalled') return stalled(verdict, seen);
  return [];
}

function stalled(
  { stage, silentMs }: Extract<Liveness, { type: 'stalled' }>,
  seen: FleetWorker,
): readonly FleetAction[] {
  return stage === 'stop' ? endGroup(seen, 'stalled') : [{ type: stage, ...whoOf(seen), silentMs }];
}
