import { runEnds } from '../../../../fleet/coordinator/runEnds.ts';
import { decideRestart, jitterOf, RESTART_POLICIES } from '../../../../fleet/decisions/restartBudget.ts';
import type { CoordinatorRecord } from '../../../../schemas/coordinatorRecord.ts';
import {
  type Account,
  available,
  type Launch,
  type Store,
  type StoreEvent,
  type TaskCounts,
} from '../../../wiring/store/openedStore.ts';
import { gatherWorkers, type ListedWorker } from '../../worker/gatherWorkers.ts';
import { runningCoordinators } from '../fleetFolder.ts';

export interface StatusWorker extends ListedWorker {
  readonly taskTitle: string | null;
}

/** A slot that stays empty for a while because its workers kept ending. */
interface RestingSlot {
  readonly slot: string;
  readonly why: 'backoff' | 'crashLoop' | 'fruitless';
  readonly untilAt: number;
}

export interface FleetStatus {
  readonly now: number;
  readonly store: string;
  /** On this host and this store. */
  readonly coordinators: readonly CoordinatorRecord[];
  /** The leader of each fleet according to the latest events. */
  readonly leaders: readonly { readonly fleet: string; readonly holder: string; readonly electedAt: number }[];
  readonly workers: readonly StatusWorker[];
  readonly tasks: TaskCounts;
  readonly accounts: readonly Account[];
  readonly starts: { readonly lastHour: number; readonly crashed: number };
  readonly resting: readonly RestingSlot[];
  /** Oldest first. */
  readonly events: readonly StoreEvent[];
}

const HOUR_MS = 60 * 60_000;
const MOST_READ = 200;

export async function gatherFleetStatus(
  store: Store,
  { stopgateHome, queue }: { readonly stopgateHome: string; readonly queue?: string | undefined },
): Promise<FleetStatus> {
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
    coordinators: runningCoordinators(stopgateHome).filter((record) => record.store === about.location),
    leaders: leadersIn(newest.events),
    workers: page.workers.map((worker) => ({ ...worker, taskTitle: titles.get(worker.taskId ?? '') ?? null })),
    tasks,
    accounts: accounts.accounts.filter(({ pausedUntil }) => pausedUntil !== null),
    ...startsIn(launches.launches, page.now, new Set(page.workers.map(({ id }) => id))),
    events: newest.events.toReversed(),
  };
}

/** From events, newest first; a leader that resigned is left out. */
function leadersIn(events: readonly StoreEvent[]): FleetStatus['leaders'] {
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
  const resting = [...bySlot].flatMap(([slot, ends]): RestingSlot[] => {
    const jitter = jitterOf(`${slot}:${ends[0]?.startedAt ?? 0}`);
    const restart = decideRestart({ now, ends, policy: RESTART_POLICIES.slot, jitter });
    if (restart.type !== 'wait' || restart.why === 'continuation' || running.has(slot)) return [];
    return [{ slot, why: restart.why, untilAt: restart.untilAt }];
  });
  return { starts: { lastHour: launches.length, crashed }, resting };
}
