import type { Attempt, Store, Worker } from '../../store/types.ts';
import { isSameHost } from '../../system/thisHost.ts';
import type { FleetFacts, FleetWorker } from '../decisions/fleetFacts.ts';
import { hostRoom } from '../decisions/hostRoom.ts';
import { isOver } from '../decisions/liveness.ts';
import { accountPause } from './accountPause.ts';
import type { WorkerMemory } from './fleetMemory.ts';
import { isSlotOf, slotNames } from './fleetSettings.ts';
import type { FleetTick } from './fleetTick.ts';
import type { Leadership } from './leadership.ts';
import { runEnds } from './runEnds.ts';

/** The input of `planTick`; only this fleet's own workers are in it. */
export async function gatherFacts(
  tick: FleetTick,
  leadership: Leadership,
  shutdown: FleetFacts['shutdown'],
): Promise<FleetFacts> {
  const { settings, world, memory, snapshot } = tick;
  const { host, most, least, name } = settings;
  const own = snapshot.workers.filter(({ id }) => isSlotOf(name, id));
  const workers = await Promise.all(own.map((worker) => seenWorker(tick, worker)));
  const ends = runEnds(
    snapshot.launches.filter(({ slot }) => isSlotOf(name, slot)),
    (slot, incarnation) => memory.of(slot, incarnation).madeProgress,
  );
  const running = workers.filter(({ worker }) => !isOver(worker)).length;
  return {
    now: snapshot.now,
    host,
    lease: settings.lease,
    awakeSince: memory.awakeSince ?? snapshot.now,
    leaderEpoch: leadership.type === 'leading' ? leadership.epoch : null,
    shutdown,
    workers,
    slots: slotNames(name, most).map((slot, index) => ({ slot, isKept: index < least, ends: ends.get(slot) ?? [] })),
    ready: snapshot.ready,
    most,
    ...hostRoom({ running, maxWorkers: most, ...world.hostFacts() }),
    account: accountPause(memory, settings.accountKey, snapshot),
    hostEnds: [...ends.values()].flat().toSorted((one, other) => other.endedAt - one.endedAt),
  };
}

async function seenWorker({ settings, world, memory, snapshot }: FleetTick, worker: Worker): Promise<FleetWorker> {
  const known = memory.of(worker.id, worker.incarnation);
  known.madeProgress = worker.lastSettledAt !== null;
  const hasEnded = isOver(worker);
  // the pid of an ended worker without a start time may have been reused
  const canBeSeen = isSameHost(worker.host, settings.host) && !(hasEnded && worker.pidStart === null);
  const process = canBeSeen && !known.isGone ? world.processes.sight(worker) : hasEnded ? 'gone' : 'unknown';
  // finding its leftovers means scanning every process, so do it once
  known.isGone = hasEnded && process === 'gone';
  known.overSince = hasEnded && process !== 'gone' ? (known.overSince ?? snapshot.now) : undefined;
  return {
    worker: { ...worker, activityFrom: settings.reportsActivity ? 'hooks' : 'nothing' },
    process,
    taskEndedAt: hasEnded ? undefined : await outlivedTask(world.store, worker, known),
    overSince: known.overSince,
    isEnding: known.isEnding,
    wouldNotDie: known.wouldNotDie,
    isDeferred: known.isDeferred,
  };
}

/** A worker learns it from its next heartbeat, at most 20 s later, and needs a while to end its agent. */
const OBEY_MS = 60_000;

const BY_OTHERS: ReadonlySet<Attempt['state']> = new Set(['cancelled', 'lost', 'superseded']);

/**
 * When the task was taken away that a worker keeps working on. The store only knows that the worker holds none; its activity
 * shows that it still works, and earlier ticks remember which task it was.
 */
async function outlivedTask(store: Store, worker: Worker, known: WorkerMemory): Promise<number | undefined> {
  const { taskId, attemptId, activityAt, toolStartedAt } = worker;
  if (taskId !== null && attemptId !== null) {
    known.held = { taskId, attemptId };
    known.claimEndedAt = undefined;
    return undefined;
  }
  const { held } = known;
  if (held) {
    const found = await store.attempts({ taskId: held.taskId });
    if (found.type === 'unavailable') return undefined;
    const attempt = found.attempts.find(({ id }) => id === held.attemptId);
    known.claimEndedAt = attempt && BY_OTHERS.has(attempt.state) ? (attempt.endedAt ?? undefined) : undefined;
    known.held = undefined;
  }
  const { claimEndedAt: endedAt } = known;
  if (endedAt === undefined) return undefined;
  return activityAt > endedAt + OBEY_MS || (toolStartedAt !== null && toolStartedAt > endedAt) ? endedAt : undefined;
}
