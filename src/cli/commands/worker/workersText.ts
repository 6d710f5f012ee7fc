import { type Cell, tableText } from '../../output/table.ts';
import type { ListLayout } from '../task/list/listText.ts';
import { shortAge } from '../task/taskFacts.ts';
import { type ListedWorker, statusText, type WorkerPage } from './gatherWorkers.ts';
import { STATUS_STYLES } from './statusStyles.ts';

const TITLES = ['WORKER', 'KIND', 'STATE', 'HOST', 'PID', 'HEARTBEAT', 'ACTIVITY', 'IDLE', 'TASK'];
/** Where there is no room for what the name mostly says already. */
const NARROW = TITLES.filter((title) => title !== 'HOST' && title !== 'ACTIVITY');
const WIDE = 100;

export function workersText({ now, workers }: WorkerPage, { paint, width, isTerminal }: ListLayout): string {
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
  const { shownStatus, taskId } = worker;
  return {
    WORKER: { text: `${worker.id}#${worker.incarnation}` },
    KIND: { text: worker.kind },
    STATE: { text: statusText(worker, now), style: STATUS_STYLES[shownStatus] },
    HOST: { text: worker.host ?? '' },
    PID: { text: worker.pid === null ? '' : String(worker.pid) },
    HEARTBEAT: { text: since(worker.heartbeatAt, now) },
    ACTIVITY: { text: since(worker.activityAt, now) },
    IDLE: { text: idleWords(worker, now) },
    TASK: { text: (isTerminal ? taskId?.slice(0, 8) : taskId) ?? worker.exitReason ?? '' },
  };
}

function idleWords({ idleSince, idleLimitMs, state }: ListedWorker, now: number): string {
  if (idleSince === null || state === 'stopped' || state === 'lost') return '';
  return `${since(idleSince, now)}${idleLimitMs === null ? '' : ` of ${shortAge(idleLimitMs)}`}`;
}

const since = (at: number, now: number) => shortAge(now - at);
