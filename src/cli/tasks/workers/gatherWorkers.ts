import { hostname } from 'node:os';
import { isSameProcess } from '../../../system/processLife.ts';
import { available, type Store, type Worker, type WorkerStatus } from '../openedStore.ts';

export interface ListedWorker extends Worker {
  /** The status, or `gone` when its process on this host is: nobody has told the store yet. */
  readonly shownStatus: WorkerStatus | 'gone';
}

export interface WorkerPage {
  readonly now: number;
  readonly workers: readonly ListedWorker[];
}

export interface WorkersWanted {
  readonly queue?: string | undefined;
  /** Also those that stopped or were lost. */
  readonly all: boolean;
  /** Left out: every one. */
  readonly names?: readonly string[] | undefined;
}

export async function gatherWorkers(store: Store, { queue, all, names }: WorkersWanted): Promise<WorkerPage> {
  const { now, workers } = available(await store.workers({ queue, running: !all }));
  const wanted = names?.length ? workers.filter(({ id }) => names.includes(id)) : workers;
  return {
    now,
    workers: wanted.map((worker) => ({ ...worker, shownStatus: isGone(worker) ? 'gone' : worker.status })),
  };
}

export function isGone({ host, pid, pidStart, state }: Worker): boolean {
  if (state === 'stopped' || state === 'lost' || host !== hostname() || pid === null) return false;
  return !isSameProcess(pid, pidStart ?? undefined);
}
