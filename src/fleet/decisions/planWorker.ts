import { isSameHost } from '../../system/thisHost.ts';
import { endGroup, type FleetAction, whoOf } from './fleetAction.ts';
import type { FleetFacts, FleetWorker } from './fleetFacts.ts';
import { decideLiveness, type Liveness } from './liveness.ts';

/** The actions for one worker, independent of the fleet's demand. */
export function planWorker(facts: FleetFacts, seen: FleetWorker): readonly FleetAction[] {
  const { now, host, shutdown } = facts;
  const { worker } = seen;
  const verdict = decideLiveness({ ...facts, ...seen });
  // only the leader acts on workers of other hosts
  if (!isSameHost(worker.host, host) && facts.leaderEpoch === null) return [];
  if (shutdown !== null && isSameHost(worker.host, host)) return planShutdown({ now, shutdown, seen, verdict });
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
  if (verdict.type !== 'stalled') return [];
  return verdict.stage === 'stop' ? endGroup(seen, 'stalled') : [{ type: 'warn', ...who, silentMs: verdict.silentMs }];
}

interface ShutdownFacts {
  readonly now: number;
  readonly shutdown: NonNullable<FleetFacts['shutdown']>;
  readonly seen: FleetWorker;
  readonly verdict: Liveness;
}

/** Time to end a group and confirm it, within a window that may be as short as ten seconds. */
const HAND_BACK_MS = 5_000;
const HAND_BACK_SHARE = 0.5;

/**
 * Shuts a worker down within a window: drained immediately, ended when the remaining time is needed for it. Its task is
 * handed back only when its process is gone; earlier, its work could be committed twice.
 */
function planShutdown({ now, shutdown, seen, verdict }: ShutdownFacts): readonly FleetAction[] {
  const { worker } = seen;
  const who = whoOf(seen);
  if (verdict.type === 'over' || verdict.type === 'launchFailed') return actionsFor(verdict, seen);
  if (verdict.type === 'ended') return [{ type: 'release', ...who, evidence: 'exited', as: 'drained' }];
  if (seen.wouldNotDie || now >= shutdown.deadlineAt) return actionsFor({ type: 'reclaimDeferred' }, seen);
  // its process is not known yet: it is refused when it registers and exits
  if (worker.state === 'launching' && worker.pid === null) return [{ type: 'endLaunch', ...who }];
  const isBusy = worker.taskId !== null && seen.process === 'running';
  if (!isBusy || now >= handBackAt(shutdown)) return endGroup(seen, 'shutdown');
  return worker.state === 'draining' ? [] : [{ type: 'drain', ...who, why: 'shutdown' }];
}

/** From then on a busy worker is ended instead of awaited. */
export function handBackAt({ requestedAt, deadlineAt }: ShutdownFacts['shutdown']): number {
  return deadlineAt - Math.min(HAND_BACK_MS, (deadlineAt - requestedAt) * HAND_BACK_SHARE);
}
