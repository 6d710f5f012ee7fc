import { hostname } from 'node:os';
import { isWorkerKind } from '../../../fleet/decisions/workerKinds.ts';
import { isSameProcess } from '../../../system/processLife.ts';
import { available, type Store, type Worker, type WorkerStatus } from '../../wiring/store/openedStore.ts';
import { shortAge } from '../task/taskFacts.ts';

export interface ListedWorker extends Worker {
  /**
   * The status, or what it does not show: `gone` when its process on this host is, and the store does not know yet; `unresponsive` when
   * its heartbeat is too old, as that of a frozen process or of a machine that is cut off.
   */
  readonly shownStatus: WorkerStatus | 'gone' | 'unresponsive';
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
    workers: wanted.map((worker) => ({ ...worker, shownStatus: shownStatus(worker, now) })),
  };
}

function shownStatus(worker: Worker, now: number): ListedWorker['shownStatus'] {
  if (isGone(worker)) return 'gone';
  return isUnresponsive(worker, now) ? 'unresponsive' : worker.status;
}

/** `worker run` beats every 15 s, whatever its agent does. */
const SILENT_MS = 60_000;

/** Workers of other kinds are a person's or a script's: no timer beats for them, so their silence says nothing. */
export function isUnresponsive({ kind, state, heartbeatAt }: Worker, now: number): boolean {
  return isWorkerKind(kind) && (state === 'live' || state === 'draining') && now - heartbeatAt > SILENT_MS;
}

/** As tables show it. */
export function statusText({ shownStatus: status, heartbeatAt }: ListedWorker, now: number): string {
  return status === 'unresponsive' ? `not responding, last heartbeat ${shortAge(now - heartbeatAt)} ago` : status;
}

export function isGone({ host, pid, pidStart, state }: Worker): boolean {
  if (state === 'stopped' || state === 'lost' || host !== hostname() || pid === null) return false;
  return !isSameProcess(pid, pidStart ?? undefined);
}
