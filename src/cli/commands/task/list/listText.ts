import { formatSeconds } from '../../../../system/formatDuration.ts';
import type { Paint } from '../../../output/colors.ts';
import { type Cell, tableText } from '../../../output/table.ts';
import { oneLine } from '../../../output/visibleText.ts';
import type { Task, TaskCounts, TaskStatus } from '../../../wiring/store/openedStore.ts';
import type { ListedTask, TaskPage } from './gatherTasks.ts';

export interface ListLayout {
  readonly paint: Paint;
  readonly width: number;
  readonly isTerminal: boolean;
}

export const STATUS_STYLES: Readonly<Record<TaskStatus | 'paused', NonNullable<Cell['style']>>> = {
  claimed: 'cyan',
  verifying: 'cyan',
  ready: 'green',
  delayed: 'yellow',
  blocked: 'yellow',
  held: 'yellow',
  paused: 'yellow',
  done: 'dim',
  dead: 'red',
  cancelled: 'dim',
};

/** Long enough to be unique, and accepted by the other commands. */
const SHORT_ID = 8;

const WIDE = 100;

/** The page of `stopgate task list`: one row per task, totals last. */
export function listText(page: TaskPage, layout: ListLayout): string {
  const { paint, width, isTerminal } = layout;
  const isWide = width >= WIDE;
  const queues = new Set(page.tasks.map(({ queue }) => queue));
  const types = new Set(page.tasks.map(({ type }) => type));
  const columns: Column[] = [
    { title: 'TASK', cell: ({ id }) => ({ text: isTerminal ? id.slice(0, SHORT_ID) : id }) },
    { title: 'STATE', cell: ({ shownStatus }) => ({ text: shownStatus, style: STATUS_STYLES[shownStatus] }) },
    { title: 'AGE', cell: ({ createdAt }) => ({ text: formatSeconds(page.now - createdAt) }) },
    { title: 'TRY', cell: (task) => ({ text: attemptOf(task) }) },
    { title: 'STARTS', cell: ({ starts }) => ({ text: String(starts) }) },
    ...(isWide ? [{ title: 'PRIO', cell: ({ priority }: ListedTask) => ({ text: String(priority) }) }] : []),
    ...(isWide || queues.size > 1 ? [{ title: 'QUEUE', cell: ({ queue }: ListedTask) => ({ text: queue }) }] : []),
    ...(isWide || types.size > 1 ? [{ title: 'TYPE', cell: ({ type }: ListedTask) => ({ text: type }) }] : []),
    { title: 'HOLDER', cell: ({ holder }) => ({ text: holder ?? '' }) },
    { title: 'TITLE', cell: (task) => ({ text: titleOf(task, page.now) }) },
  ];
  const shown = columns.filter(({ title }) => title !== 'HOLDER' || page.tasks.some(({ holder }) => holder !== null));
  const titles = shown.map(({ title }) => title);
  const rows = page.tasks.map((task) => shown.map(({ cell }) => cell(task)));
  const more = page.isCut ? paint('dim', '… and more; use --limit to show more, --state to filter\n') : '';
  return `${tableText({ paint, width, titles }, rows)}\n${more}${totalsLine(page)}\n`;
}

interface Column {
  readonly title: string;
  cell(task: ListedTask): Cell;
}

/** The reason for waiting or failing comes first, so that it is not truncated. */
function titleOf(task: ListedTask, now: number): string {
  const why = whyOf(task, now);
  return why === '' ? task.title : `[${why}] ${task.title}`;
}

function whyOf({ status, runAt, unmetDependencies, holdReason, lastError }: ListedTask, now: number): string {
  if (status === 'delayed')
    return `in ${formatSeconds(runAt - now)}${lastError ? ` after: ${oneLine(lastError, WHY)}` : ''}`;
  if (status === 'blocked') return `waits for ${unmetDependencies}`;
  if (status === 'held') return oneLine(holdReason ?? '', WHY);
  return status === 'dead' && lastError ? oneLine(lastError, WHY) : '';
}

/** Leaves room for the title. */
const WHY = 30;

/** In the order of the totals. */
export const STATUSES = Object.keys(STATUS_STYLES).filter((status): status is TaskStatus => status !== 'paused');

export function totalsLine({ counts, now }: Pick<TaskPage, 'counts' | 'now'>): string {
  const total = totalOf(counts);
  const parts = STATUSES.flatMap((status) => (counts[status] > 0 ? [`${count(counts[status])} ${status}`] : []));
  const due = counts.nextDueAt === null ? '' : `, next due in ${formatSeconds(counts.nextDueAt - now)}`;
  return `${count(total)} task${total === 1 ? '' : 's'}${parts.length === 0 ? '' : `: ${parts.join(', ')}`}${due}.`;
}

const count = (n: number) => n.toLocaleString('en');

export const totalOf = (counts: TaskCounts) => STATUSES.reduce((sum, status) => sum + counts[status], 0);

/** `2/3`: the second of three tries. Lost and released attempts do not use up a try. */
export function attemptOf({ failures, maxFailures, state }: Pick<Task, 'failures' | 'maxFailures' | 'state'>): string {
  const isTried = state === 'claimed' || state === 'verifying' || state === 'done';
  return `${Math.min(maxFailures, failures + (isTried ? 1 : 0))}/${maxFailures}`;
}
