import { isWorkerKind } from '../../../fleet/decisions/workerKinds.ts';
import { formatSeconds } from '../../../system/formatDuration.ts';
import { isProcessGone } from '../../../system/processLife.ts';
import type { Cell, Column } from '../../output/table.ts';
import { available, type Store, type Worker, type WorkerStatus } from '../../wiring/store/openedStore.ts';

export interface ListedWorker extends Worker {
  /**
   * The status, or what the store does not know yet: `gone` when its process on this host has ended, `unresponsive` when its
   * heartbeat is too old (a frozen process, or a machine that is cut off).
   */
  readonly shownStatus: WorkerStatus | 'gone' | 'unresponsive';
}

interface WorkersWanted {
  readonly queue?: string | undefined;
  /** Include stopped and lost workers. */
  readonly all: boolean;
  /** Default: all. */
  readonly names?: readonly string[] | undefined;
}

export async function gatherWorkers(store: Store, { queue, all, names }: WorkersWanted) {
  const { now, workers } = available(await store.workers({ queue, running: !all }));
  const wanted = names?.length ? workers.filter(({ id }) => names.includes(id)) : workers;
  const listed = wanted.map((worker): ListedWorker => ({ ...worker, shownStatus: shownStatus(worker, now) }));
  return { now, workers: listed };
}

function shownStatus(worker: Worker, now: number): ListedWorker['shownStatus'] {
  const { state } = worker;
  if (state !== 'stopped' && state !== 'lost' && isProcessGone(worker)) return 'gone';
  return isUnresponsive(worker, now) ? 'unresponsive' : worker.status;
}

/** `worker run` sends a heartbeat every 15s, whatever its agent does. */
const SILENT_MS = 60_000;

/** Only workers with a kind have a heartbeat timer; the silence of a person's or a script's means nothing. */
function isUnresponsive({ kind, state, heartbeatAt }: Worker, now: number): boolean {
  return isWorkerKind(kind) && (state === 'live' || state === 'draining') && now - heartbeatAt > SILENT_MS;
}

const STATUS_STYLES: Readonly<Record<ListedWorker['shownStatus'], NonNullable<Cell['style']>>> = {
  busy: 'cyan',
  idle: 'green',
  launching: 'cyan',
  draining: 'yellow',
  paused: 'yellow',
  suspect: 'yellow',
  unresponsive: 'red',
  gone: 'red',
  lost: 'red',
  stopped: 'dim',
};

/** The status as tables show it. */
export const statusColumn = (now: number): Column<ListedWorker> => ({
  title: 'STATE',
  cell: ({ shownStatus: status, heartbeatAt }) => {
    const silence = `not responding, last heartbeat ${formatSeconds(now - heartbeatAt)} ago`;
    return { text: status === 'unresponsive' ? silence : status, style: STATUS_STYLES[status] };
  },
});
