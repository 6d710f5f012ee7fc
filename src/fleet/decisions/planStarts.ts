import type { FleetAction } from './fleetAction.ts';
import type { AccountPause, FleetFacts, SlotFacts } from './fleetFacts.ts';
import type { HostShortage } from './hostRoom.ts';
import { isOver } from './liveness.ts';
import { wakeAt } from './rateLimits.ts';
import { decideRestart, jitterOf, RESTART_POLICIES, type RestartDecision } from './restartBudget.ts';

export interface DemandFacts {
  readonly ready: number;
  /** Live and without a task: they claim ready tasks themselves. */
  readonly idle: number;
  readonly starting: number;
  /** Live, busy or not. */
  readonly running: number;
  readonly most: number;
  readonly room: number;
}

/** How many workers the ready tasks still need. */
export function workersToStart({ ready, idle, starting, running, most, room }: DemandFacts): number {
  return Math.max(0, Math.min(ready - idle - starting, most - running - starting, room));
}

/** When a slot may be filled: its restart budget allows it, and its account is not paused. */
export function slotStartAt(now: number, slot: SlotEnds, account: AccountPause | null): number {
  const restart = decideSlotRestart(now, slot);
  const restartAt = restart.type === 'start' ? now : restart.untilAt;
  if (account === null) return restartAt;
  const { pausedAt, pausedUntil } = account;
  return Math.max(restartAt, wakeAt(pausedAt ?? pausedUntil, pausedUntil, slotJitter(slot)));
}

type SlotEnds = Pick<SlotFacts, 'slot' | 'ends'>;

/** Changes with each start, so that slots that crashed together do not restart together. */
const slotJitter = ({ slot, ends }: SlotEnds) => jitterOf(`${slot}:${ends[0]?.startedAt ?? 0}`);

export function decideSlotRestart(now: number, slot: SlotEnds): RestartDecision {
  return decideRestart({ now, ends: slot.ends, policy: RESTART_POLICIES.slot, jitter: slotJitter(slot) });
}

/** Until when no worker is started on this host because everything crashes on it; null: no pause. */
export function hostPausedUntil({ now, host, hostEnds = [] }: FleetFacts): number | null {
  const restart = decideRestart({ now, ends: hostEnds, policy: RESTART_POLICIES.host, jitter: jitterOf(host) });
  return restart.type === 'wait' && restart.why !== 'continuation' ? restart.untilAt : null;
}

/** Which slots to fill now: those of the minimum, then as many as the ready tasks need. */
export function planStarts(facts: FleetFacts): readonly FleetAction[] {
  const { now, leaderEpoch, account } = facts;
  if (leaderEpoch === null || facts.shutdown !== null) return [];
  if (hostPausedUntil(facts) !== null) return [];
  const demand = demandOf(facts);
  const taken = new Set(facts.workers.filter(isThere).map(({ worker }) => worker.id));
  const free = facts.slots.filter((slot) => !taken.has(slot.slot) && slotStartAt(now, slot, account) <= now);
  const kept = free
    .filter(({ isKept }) => isKept)
    .slice(0, Math.max(0, Math.min(demand.room, facts.most - taken.size)));
  const wanted = workersToStart({
    ...demand,
    starting: demand.starting + kept.length,
    room: demand.room - kept.length,
  });
  const others = free.filter(({ isKept }) => !isKept).slice(0, wanted);
  const start = (why: 'kept' | 'tasksWait') => (slot: SlotFacts) =>
    ({ type: 'startWorker', slot: slot.slot, leaderEpoch, why }) as const;
  return [...kept.map(start('kept')), ...others.map(start('tasksWait'))];
}

/** What keeps this host from starting a worker that is needed now; null: nothing, or none is needed. */
export function shortageNow(facts: FleetFacts): HostShortage | null {
  if (facts.room > 0) return null;
  const needed = planStarts({ ...facts, room: Number.POSITIVE_INFINITY });
  return needed.length === 0 ? null : (facts.shortage ?? null);
}

/** A slot stays taken until its worker is released and its process is gone: a successor would work beside it. */
const isThere = ({ worker, process }: FleetFacts['workers'][number]) =>
  !isOver(worker) || (worker.pid !== null && (process === 'running' || process === 'orphaned'));

function demandOf({ now, workers, ready, most, room }: FleetFacts): DemandFacts {
  const there = workers.filter(isThere);
  const starting = there.filter(({ worker }) => worker.state === 'launching').length;
  const idle = there.filter(({ worker, process }) => {
    const isDead = process === 'gone' || process === 'orphaned';
    const canClaim = worker.state === 'live' && worker.taskId === null && worker.suspectAt === null && !isDead;
    return canClaim && (worker.pausedUntil ?? 0) <= now;
  }).length;
  return { ready, idle, starting, running: there.length - starting, most, room };
}
