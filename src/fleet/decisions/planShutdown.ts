import { endGroup, whoOf } from './endGroup.ts';
import type { FleetAction } from './fleetAction.ts';
import type { FleetFacts, FleetWorker } from './fleetFacts.ts';
import type { Liveness } from './liveness.ts';

export interface ShutdownFacts {
  readonly now: number;
  readonly shutdown: NonNullable<FleetFacts['shutdown']>;
  readonly seen: FleetWorker;
  readonly verdict: Liveness;
}

/** How long ending a group and confirming it may take, of a window that may be as short as ten seconds. */
const HAND_BACK_MS = 5_000;
const HAND_BACK_SHARE = 0.5;

/**
 * Putting a worker down inside a bound: drained at once, ended when the rest of the window is needed for it, its task
 * handed back only when its process is gone. A task that is handed back before could be committed twice.
 */
export function planShutdown({ now, shutdown, seen, verdict }: ShutdownFacts): readonly FleetAction[] {
  const { worker } = seen;
  if (verdict.type === 'over') return [];
  if (verdict.type === 'ended') return [{ type: 'release', ...whoOf(seen), evidence: 'exited', as: 'drained' }];
  if (verdict.type === 'launchFailed')
    return [...endGroup(seen, 'launchFailed'), { type: 'endLaunch', ...whoOf(seen) }];
  if (seen.wouldNotDie || now >= shutdown.deadlineAt)
    return seen.isDeferred ? [] : [{ type: 'deferReclaim', ...whoOf(seen) }];
  // nobody knows its process yet: refused when it registers, it ends by itself
  if (worker.state === 'launching' && worker.pid === null) return [{ type: 'endLaunch', ...whoOf(seen) }];
  const isBusy = worker.taskId !== null && seen.process === 'running';
  if (!isBusy || now >= handBackAt(shutdown)) return endGroup(seen, 'shutdown');
  return worker.state === 'draining' ? [] : [{ type: 'drain', ...whoOf(seen), why: 'shutdown' }];
}

/** From when on a busy worker is ended rather than waited for. */
export function handBackAt({ askedAt, deadlineAt }: ShutdownFacts['shutdown']): number {
  return deadlineAt - Math.min(HAND_BACK_MS, (deadlineAt - askedAt) * HAND_BACK_SHARE);
}
