import { formatSeconds } from '../../../system/formatDuration.ts';
import { printResult } from '../../output/printResult.ts';
import { type Cell, tableText } from '../../output/table.ts';
import { openTaskStoreToRead } from '../../wiring/store/openTaskStore.ts';
import type { TaskWorld } from '../../wiring/store/taskWorld.ts';
import type { ListLayout } from '../task/list/listText.ts';
import type { CommonOptions, Flags } from '../task/taskOptions.ts';
import { gatherWorkers, type ListedWorker, STATUS_STYLES, statusText, type WorkerPage } from './gatherWorkers.ts';

type WorkerListOptions = CommonOptions & Flags<'queue', 'all'>;

/** `stopgate worker list`. */
export async function runWorkerList({ queue, all, json, store: flag }: WorkerListOptions, world: TaskWorld) {
  await using store = await openTaskStoreToRead(flag, world);
  const page = await gatherWorkers(store, { queue, all: all === true });
  const nothing = all ? 'There have been no workers yet.\n' : 'No worker is running; --all shows past workers.\n';
  return printResult(json ? page : null, world, (layout, isTerminal) =>
    page.workers.length === 0 ? nothing : workersText(page, { ...layout, isTerminal }),
  );
}

const TITLES = ['WORKER', 'KIND', 'STATE', 'HOST', 'PID', 'HEARTBEAT', 'ACTIVITY', 'IDLE', 'TASK'];
/** Without the columns that matter least. */
const NARROW = TITLES.filter((title) => title !== 'HOST' && title !== 'ACTIVITY');
const WIDE = 100;

function workersText({ now, workers }: WorkerPage, { paint, width, isTerminal }: ListLayout): string {
  const titles = width >= WIDE ? TITLES : NARROW;
  const rows = workers.map((worker) => {
    const cells = cellsOf(worker, now, isTerminal);
    return titles.map((title) => cells[title] ?? { text: '' });
  });
  const counts = new Map<string, number>();
  for (const { shownStatus } of workers) counts.set(shownStatus, (counts.get(shownStatus) ?? 0) + 1);
  const parts = [...counts]
    .map(([status, count]) => `${count} ${status === 'unresponsive' ? 'not responding' : status}`)
    .join(', ');
  return `${tableText({ paint, width, titles }, rows)}\n${workers.length} worker${workers.length === 1 ? '' : 's'}: ${parts}.\n`;
}

function cellsOf(worker: ListedWorker, now: number, isTerminal: boolean): Readonly<Record<string, Cell>> {
  const { shownStatus, taskId, pid } = worker;
  return {
    WORKER: { text: `${worker.id}#${worker.incarnation}` },
    KIND: { text: worker.kind },
    STATE: { text: statusText(worker, now), style: STATUS_STYLES[shownStatus] },
    HOST: { text: worker.host ?? '' },
    PID: { text: pid === null ? '' : String(pid) },
    HEARTBEAT: { text: formatSeconds(now - worker.heartbeatAt) },
    ACTIVITY: { text: formatSeconds(now - worker.activityAt) },
    IDLE: { text: idleText(worker, now) },
    TASK: { text: (isTerminal ? taskId?.slice(0, 8) : taskId) ?? worker.exitReason ?? '' },
  };
}

function idleText({ idleSince, idleLimitMs, state }: ListedWorker, now: number): string {
  if (idleSince === null || state === 'stopped' || state === 'lost') return '';
  return `${formatSeconds(now - idleSince)}${idleLimitMs === null ? '' : ` of ${formatSeconds(idleLimitMs)}`}`;
}
