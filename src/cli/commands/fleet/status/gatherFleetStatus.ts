import { runEnds } from '../../../../fleet/coordinator/runEnds.ts';
import { decideSlotRestart } from '../../../../fleet/decisions/planStarts.ts';
import { available, type Launch, type Store, type StoreEvent } from '../../../wiring/store/openedStore.ts';
import { gatherWorkers } from '../../worker/gatherWorkers.ts';
import { runningCoordinators } from '../fleetFolder.ts';

export type FleetStatus = Awaited<ReturnType<typeof gatherFleetStatus>>;
export type StatusWorker = FleetStatus['workers'][number];

const HOUR_MS = 60 * 60_000;
const MOST_READ = 200;

export async function gatherFleetStatus(
  store: Store,
  { stopgateHome, queue }: { readonly stopgateHome: string; readonly queue?: string | undefined },
) {
  const [about, page, counts, accounts, launches, newest, claimed] = await Promise.all([
    store.about({}).then(available),
    gatherWorkers(store, { all: false, queue }),
    store.counts({ queue }).then(available),
    store.accounts({}).then(available),
    store.launches({ withinMs: HOUR_MS }).then(available),
    store.events({ newest: true, limit: MOST_READ }).then(available),
    store.listTasks({ statuses: ['claimed'], limit: MOST_READ }).then(available),
  ]);
  const titles = new Map(claimed.tasks.map(({ id, title }) => [id, title]));
  const { type: _type, ...tasks } = counts;
  return {
    now: page.now,
    store: about.location,
    // on this host and this store
    coordinators: runningCoordinators(stopgateHome).filter((record) => record.store === about.location),
    leaders: leadersIn(newest.events),
    workers: page.workers.map((worker) => ({ ...worker, taskTitle: titles.get(worker.taskId ?? '') ?? null })),
    tasks,
    accounts: accounts.accounts.filter(({ pausedUntil }) => pausedUntil !== null),
    ...startsIn(launches.launches, page.now, new Set(page.workers.map(({ id }) => id))),
    // oldest first
    events: newest.events.toReversed(),
  };
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
