import { formatSeconds } from '../../../system/formatDuration.ts';
import { hostNameOf } from '../../../system/thisHost.ts';
import { printResult } from '../../output/printResult.ts';
import { type Column, columnsText } from '../../output/table.ts';
import { openTaskStoreToShow } from '../../wiring/store/openTaskStore.ts';
import type { TaskWorld } from '../../wiring/store/taskWorld.ts';
import type { ListLayout } from '../task/list/listText.ts';
import type { CommonOptions, Flags } from '../task/taskOptions.ts';
import { gatherWorkers, type ListedWorker, statusColumn } from './gatherWorkers.ts';

type WorkerListOptions = CommonOptions & Flags<'queue', 'all'>;

/** `stopgate worker list`. */
export async function runWorkerList({ queue, all, json, store: flag }: WorkerListOptions, world: TaskWorld) {
  await using store = await openTaskStoreToShow(flag, world);
  const page = await gatherWorkers(store, { queue, all: all === true });
  const nothing = all ? 'There have been no workers yet.\n' : 'No worker is running; --all shows past workers.\n';
  return printResult(json ? page : null, world, (layout, isTerminal) =>
    page.workers.length === 0 ? nothing : workersText(page.now, page.workers, { ...layout, isTerminal }),
  );
}

function workersText(now: number, workers: readonly ListedWorker[], { isTerminal, ...layout }: ListLayout): string {
  const groups = Map.groupBy(workers, ({ shownStatus }) => shownStatus);
  const parts = [...groups].map(
    ([status, of]) => `${of.length} ${status === 'unresponsive' ? 'not responding' : status}`,
  );
  const total = `${workers.length} worker${workers.length === 1 ? '' : 's'}`;
  return `${columnsText(layout, columnsAt(now, isTerminal), workers)}\n${total}: ${parts.join(', ')}.\n`;
}

const columnsAt = (now: number, isTerminal: boolean): readonly Column<ListedWorker>[] => [
  { title: 'WORKER', cell: ({ id, incarnation }) => ({ text: `${id}#${incarnation}` }) },
  { title: 'KIND', cell: ({ kind }) => ({ text: kind }) },
  statusColumn(now),
  { title: 'HOST', isSpare: true, cell: ({ host }) => ({ text: host === null ? '' : hostNameOf(host) }) },
  { title: 'PID', cell: ({ pid }) => ({ text: pid === null ? '' : String(pid) }) },
  { title: 'HEARTBEAT', cell: ({ heartbeatAt }) => ({ text: formatSeconds(now - heartbeatAt) }) },
  { title: 'ACTIVITY', isSpare: true, cell: ({ activityAt }) => ({ text: formatSeconds(now - activityAt) }) },
  { title: 'IDLE', cell: (worker) => ({ text: idleText(worker, now) }) },
  {
    title: 'TASK',
    cell: ({ taskId, exitReason }) => ({ text: (isTerminal ? taskId?.slice(0, 8) : taskId) ?? exitReason ?? '' }),
  },
];

function idleText({ idleSince, idleLimitMs, state }: ListedWorker, now: number): string {
  if (idleSince === null || state === 'stopped' || state === 'lost') return '';
  return `${formatSeconds(now - idleSince)}${idleLimitMs === null ? '' : ` of ${formatSeconds(idleLimitMs)}`}`;
}
