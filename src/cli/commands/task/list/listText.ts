import { formatSeconds } from '../../../../system/formatDuration.ts';
import type { Paint } from '../../../output/colors.ts';
import { type Cell, tableText } from '../../../output/table.ts';
import { oneLine } from '../../../output/visibleText.ts';
import type { TaskCounts, TaskStatus } from '../../../wiring/store/openedStore.ts';
import { attemptOf } from '../taskFacts.ts';
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

/** Enough to tell tasks apart, and all that the other commands need. */
const SHORT_ID = 8;

const WIDE = 100;

/** The page of `stopgate task list`: a row a task, the totals last. */
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
  const more = page.isCut ? paint('dim', '… and more: --limit shows more, --state fewer\n') : '';
  return `${tableText({ paint, width, titles }, rows)}\n${more}${totalsLine(page)}\n`;
}

interface Column {
  readonly title: string;
  cell(task: ListedTask): Cell;
}

/** In front of the title, where it is not cut: why it waits, why it failed. */
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

/** So that something is left of the title. */
const WHY = 30;

const ORDER: readonly TaskStatus[] = [
  'claimed',
  'verifying',
  'ready',
  'delayed',
  'blocked',
  'held',
  'done',
  'dead',
  'cancelled',
];

export function totalsLine({ counts, now }: Pick<TaskPage, 'counts' | 'now'>): string {
  const total = ORDER.reduce((sum, status) => sum + counts[status], 0);
  const parts = ORDER.flatMap((status) => (counts[status] > 0 ? [`${count(counts[status])} ${status}`] : []));
  const due = counts.nextDueAt === null ? '' : `, next due in ${formatSeconds(counts.nextDueAt - now)}`;
  return `${count(total)} task${total === 1 ? '' : 's'}${parts.length === 0 ? '' : `: ${parts.join(', ')}`}${due}.`;
}

const count = (n: number) => n.toLocaleString('en');

export const totalOf = (counts: TaskCounts) => ORDER.reduce((sum, status) => sum + counts[status], 0);
