import { runEnds } from '../../../../fleet/coordinator/runEnds.ts';
import { decideSlotRestart } from '../../../../fleet/decisions/planStarts.ts';
import { isUnlanded } from '../../../../launch/land/landingLease.ts';
import { describeKept } from '../../../../store/outbox/describeDelivery.ts';
import { openOutbox } from '../../../../store/outbox/outbox.ts';
import type { KeptSettlement } from '../../../../store/outbox/settlement.ts';
import { IN_LANDING, REVIEWABLE } from '../../../../store/review.ts';
import { lacksVerifier } from '../../../../store/verification.ts';
import { systemClock, wallNow } from '../../../../system/clock.ts';
import {
  available,
  type Launch,
  type Schedule,
  type Store,
  type StoreEvent,
  type Task,
  type Worker,
} from '../../../wiring/store/openedStore.ts';

import { gatherWorkers } from '../../worker/gatherWorkers.ts';
import { restOf, runningCoordinators } from '../fleetFolder.ts';

export type FleetStatus = Awaited<ReturnType<typeof gatherFleetStatus>>;
export type StatusWorker = FleetStatus['workers'][number];

const HOUR_MS = 60 * 60_000;
const MOST_READ = 200;
const MOST_DEAD = 3;

export async function gatherFleetStatus(
  store: Store,
  { stopgateHome, queue }: { readonly stopgateHome: string; readonly queue?: string | undefined },
) {
  const [
    about,
    page,
    counts,
    accounts,
    launches,
    newest,
    claimed,
    ready,
    dead,
    verifying,
    reviews,
    fullness,
    limits,
    schedules,
  ] = await Promise.all([
    store.about({}).then(available),
    gatherWorkers(store, { all: false, queue }),
    store.counts({ queue }).then(available),
    store.accounts({}).then(available),
    store.launches({ withinMs: HOUR_MS }).then(available),
    store.events({ newest: true, limit: MOST_READ }).then(available),
    store.listTasks({ statuses: ['claimed'], limit: MOST_READ }).then(available),
    store.listTasks({ statuses: ['ready'], queue, limit: MOST_READ }).then(available),
    store.listTasks({ statuses: ['dead'], queue, order: 'newest', limit: MOST_DEAD }).then(available),
    store.listTasks({ statuses: ['verifying'], queue, limit: MOST_READ }).then(available),
    store.reviews({ states: [...REVIEWABLE, ...IN_LANDING], queue, limit: MOST_READ }).then(available),
    store.reviewLimits({ queue }).then(available),
    store.limits().then(available),
    store.schedules().then(available),
  ]);
  const outbox = openOutbox(stopgateHome);
  const locations = [about.location, ...about.movedFrom];
  const isHere = ({ store: location }: KeptSettlement) => locations.includes(location);
  const kept = [...(await outbox.list()), ...(await outbox.refused())].filter(isHere);
  const titles = new Map(claimed.tasks.map(({ id, title }) => [id, title]));
  const { type: _type, ...tasks } = counts;
  const { starts, resting } = startsIn(launches.launches, page.now, new Set(page.workers.map(({ id }) => id)));
  return {
    now: page.now,
    store: about.location,
    /** Where its tasks are now; what else is here is from the time of the move. */
    movedTo: about.movedTo,
    // on this host and this store
    coordinators: runningCoordinators(stopgateHome).filter((record) => record.store === about.location),
    leaders: leadersIn(newest.events),
    workers: page.workers.map((worker) => ({ ...worker, taskTitle: titles.get(worker.taskId ?? '') ?? null })),
    tasks,
    /** Completed, and without a verifier now. */
    unverified: verifying.tasks.filter((task) => lacksVerifier(task, page.now)).length,
    /** Finished work that waits for a person; counted up to 200. */
    reviews: reviews.reviews.filter(({ state }) => REVIEWABLE.includes(state)).length,
    /** Accepted work that no process lands now. */
    unlanded: reviews.reviews.filter(isUnlanded).length,
    /** Queues from which nothing is claimed because too much of their work waits for a person. */
    full: fullness.limits.filter(({ limit, waiting }) => waiting >= limit),
    accounts: accounts.accounts.filter(({ pausedUntil }) => pausedUntil !== null),
    starts,
    resting: [...resting, ...restingHere(stopgateHome, page)],
    limits: { queues: limits.queues, keys: limits.keys },
    /** Due, and no process of the fleet was there to add their tasks. */
    overdue: overdueIn(schedules),
    queues: await stuckQueues(store, ready.tasks, page.workers),
    dead: dead.tasks.map(({ id, title, lastError }) => ({ id, title, lastError })),
    // on this host
    kept: kept.map((settlement) => ({ ...settlement, sentence: describeKept(settlement, wallNow(systemClock)) })),
    // oldest first
    events: newest.events.toReversed(),
  };
}

const OVERDUE_MS = 60_000;

const overdueIn = ({ schedules, now }: { readonly schedules: readonly Schedule[]; readonly now: number }) =>
  schedules
    .filter(({ pausedAt, nextDueAt }) => pausedAt === null && now - nextDueAt > OVERDUE_MS)
    .map(({ id, nextDueAt, task }) => ({ id, nextDueAt, title: task.title }));

/** Queues with ready tasks that no worker will take now: paused ones, and those without a worker. */
async function stuckQueues(store: Store, ready: readonly Task[], workers: readonly Worker[]) {
  const queues = [...new Set(ready.map(({ queue }) => queue))];
  const seen = await Promise.all(
    queues.map(async (queue) => {
      const { queuePaused: isPaused, ready: count } = available(await store.readiness({ queue }));
      return { queue, isPaused, ready: count, isServed: workers.some((worker) => worker.queue === queue) };
    }),
  );
  return seen.filter(({ isPaused, isServed }) => isPaused || !isServed);
}

/** The leader of each fleet, from events, newest first; a leader that resigned is left out. */
function leadersIn(events: readonly StoreEvent[]) {
  const seen = new Set<string>();
  return events.flatMap(({ kind, actor, data, at }) => {
    const lease = String(data.leader ?? '');
    if (!kind.startsWith('leader.') || seen.has(lease)) return [];
    seen.add(lease);
    const fleet = lease.replace(/^fleet:/, '');
    return kind === 'leader.elected' ? [{ fleet, holder: actor ?? '', electedAt: at }] : [];
  });
}

/** Workers of this host that run and start no agent for a while. */
function restingHere(stopgateHome: string, { workers, now }: Awaited<ReturnType<typeof gatherWorkers>>) {
  const ahead = now - wallNow(systemClock);
  return workers.flatMap((worker) => {
    const rest = restOf(stopgateHome, worker);
    return rest === null ? [] : [{ slot: worker.id, why: rest.why, untilAt: rest.untilAt + ahead }];
  });
}

function startsIn(launches: readonly Launch[], now: number, running: ReadonlySet<string>) {
  const bySlot = runEnds(launches, () => undefined);
  const all = [...bySlot.values()].flat();
  const crashed = all.filter(({ ending }) => ending === 'crashed' || ending === 'launchFailed').length;
  // slots that stay empty for a while because their workers kept ending
  const resting = [...bySlot].flatMap(([slot, ends]) => {
    const restart = decideSlotRestart(now, { slot, ends });
    if (restart.type !== 'wait' || restart.why === 'continuation' || running.has(slot)) return [];
    return [{ slot, why: restart.why, untilAt: restart.untilAt }];
  });
  return { starts: { lastHour: launches.length, crashed }, resting };
}
