import { existsSync, statSync } from 'node:fs';
import { readSpendFile } from '../../../../launch/spendFile.ts';
import { attempt } from '../../../../system/attempt.ts';
import { isSameHost, thisHost } from '../../../../system/thisHost.ts';
import { UserError } from '../../../../system/userError.ts';
import {
  type Attempt,
  available,
  type Store,
  StoreUnavailableError,
  type Task,
} from '../../../wiring/store/openedStore.ts';
import { openTaskStoreToRead } from '../../../wiring/store/openTaskStore.ts';
import { chooseStorePlace } from '../../../wiring/store/storePlace.ts';
import type { TaskWorld } from '../../../wiring/store/taskWorld.ts';
import { gatherTask, type ShownTask } from '../../task/show/runShow.ts';
import { workerSpend } from '../fleetFolder.ts';
import { type FleetStatus, gatherFleetStatus } from '../status/gatherFleetStatus.ts';
import type { Item, WatchFacts } from './watchFacts.ts';
import { lastOutput } from './workerOutput.ts';

/** In the order of the list. At most this many of each: a store may have a million. */
const GROUPS = [
  { among: ['claimed', 'verifying'], order: 'oldest', limit: 200 },
  { among: ['held'], order: 'oldest', limit: 100 },
  { among: ['dead'], order: 'newest', limit: 200 },
  { among: ['ready'], order: 'oldest', limit: 200 },
  { among: ['delayed', 'blocked'], order: 'oldest', limit: 150 },
  { among: ['done', 'cancelled'], order: 'newest', limit: 150 },
] as const;

const MOST_QUEUES = 20;
/** Tasks are read again after this long even if no event says that they changed. */
const LONGEST_MS = 15_000;

export type Reading =
  | { readonly type: 'read'; readonly facts: WatchFacts }
  | { readonly type: 'away'; readonly reason: string };

interface Tasks {
  readonly tasks: readonly Task[];
  readonly pausedQueues: ReadonlySet<string>;
  readonly cursor: string | undefined;
  readonly readAt: number;
}

interface ReaderOptions {
  readonly store: string | undefined;
  readonly queue: string | undefined;
  readonly world: TaskWorld;
}

/** Reads what the view shows. A store that goes away is an outcome; it is opened again when it is back. */
export class FleetReader implements AsyncDisposable {
  readonly #options: ReaderOptions;
  #store: Store | null;
  /** Of a file: another one under its name is another store. */
  #inode: number | null;
  #tasks: Tasks | null = null;

  constructor(store: Store, options: ReaderOptions) {
    this.#options = options;
    this.#store = store;
    this.#inode = this.#inodeNow();
  }

  /** `visible`: the rows for which more is read than the list has. */
  async read(visible: readonly Item[]): Promise<Reading> {
    try {
      const store = await this.#open();
      const { world, queue } = this.#options;
      const status = await gatherFleetStatus(store, { stopgateHome: world.stopgateHome, queue });
      const { tasks, pausedQueues } = await this.#readTasks(store, status);
      const attempts = await attemptsOf(store, visible);
      return { type: 'read', facts: { status, tasks, pausedQueues, attempts, ...this.#onHost(status, visible) } };
    } catch (error) {
      if (!(error instanceof UserError) && !(error instanceof StoreUnavailableError)) throw error;
      this.#close();
      return { type: 'away', reason: error.message };
    }
  }

  /** All about one task, or why not. */
  async task(id: string): Promise<ShownTask | string> {
    try {
      return await gatherTask(await this.#open(), id);
    } catch (error) {
      if (!(error instanceof UserError) && !(error instanceof StoreUnavailableError)) throw error;
      return error.message;
    }
  }

  async #open(): Promise<Store> {
    const { store: flag, world } = this.#options;
    const inode = this.#inodeNow();
    if (this.#store !== null && inode === this.#inode) return this.#store;
    this.#close();
    const place = chooseStorePlace({ flag, ...world });
    // opening would create an empty one
    if (place.type === 'sqlite' && !existsSync(place.path)) throw new UserError(`The file ${place.path} is gone.`);
    this.#store = await openTaskStoreToRead(flag, world);
    this.#inode = inode;
    return this.#store;
  }

  #inodeNow(): number | null {
    const { store: flag, world } = this.#options;
    const place = chooseStorePlace({ flag, ...world });
    return place.type === 'sqlite' ? attempt(() => statSync(place.path).ino, null) : null;
  }

  #close(): void {
    // not awaited: a store that does not answer may not close either
    void this.#store?.close().catch(() => {});
    this.#store = null;
    this.#tasks = null;
  }

  /** Only when an event or the time says that they changed. */
  async #readTasks(store: Store, { events, tasks: counts, workers, now }: FleetStatus): Promise<Tasks> {
    const cursor = events.at(-1)?.cursor;
    const before = this.#tasks;
    const isDue = counts.nextDueAt !== null && counts.nextDueAt <= now;
    if (before !== null && before.cursor === cursor && !isDue && now - before.readAt < LONGEST_MS) return before;
    const { queue } = this.#options;
    const pages = await Promise.all(
      GROUPS.map(({ among, order, limit }) => store.listTasks({ statuses: among, queue, order, limit })),
    );
    const tasks = pages.flatMap((page) => available(page).tasks);
    const queues = new Set([...tasks, ...workers].map((one) => one.queue));
    const paused = await Promise.all(
      [...queues].slice(0, MOST_QUEUES).map(async (name) => {
        const { queuePaused } = available(await store.readiness({ queue: name }));
        return queuePaused ? [name] : [];
      }),
    );
    this.#tasks = { tasks, pausedQueues: new Set(paused.flat()), cursor, readAt: now };
    return this.#tasks;
  }

  /** From the files of this host. */
  #onHost({ workers }: FleetStatus, visible: readonly Item[]): Pick<WatchFacts, 'outputs' | 'spends'> {
    const { stopgateHome } = this.#options.world;
    const ids = new Set(visible.flatMap((item) => (item.type === 'task' ? [] : [item.id])));
    const here = workers.filter(
      ({ id, host, taskId }) => ids.has(id) && isSameHost(host, thisHost()) && taskId !== null,
    );
    return {
      outputs: new Map(here.map(({ id }) => [id, lastOutput(stopgateHome, id)])),
      spends: new Map(
        here.flatMap(({ id }) => {
          const usd = readSpendFile(workerSpend(stopgateHome, id)).spend?.usd;
          return usd == null ? [] : [[id, usd] as const];
        }),
      ),
    };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#store?.close();
  }
}

/** The attempts of the visible tasks that are in progress: as many as fit on a screen. */
async function attemptsOf(store: Store, visible: readonly Item[]): Promise<ReadonlyMap<string, Attempt>> {
  const ids = new Set(
    visible.flatMap((item) => {
      if (item.type === 'task') return item.task.status === 'claimed' ? [item.id] : [];
      return item.type === 'worker' && item.worker.taskId !== null ? [item.worker.taskId] : [];
    }),
  );
  const found = await Promise.all(
    [...ids].map(async (taskId) => {
      const last = available(await store.attempts({ taskId })).attempts.at(-1);
      return last === undefined ? [] : [[taskId, last] as const];
    }),
  );
  return new Map(found.flat());
}
