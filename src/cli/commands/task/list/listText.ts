import { formatSeconds } from '../../../../system/formatDuration.ts';
import type { Paint } from '../../../output/colors.ts';
import { type Cell, type Column, columnsText } from '../../../output/table.ts';
import { oneLine } from '../../../output/visibleText.ts';
import type { Task, TaskCounts, TaskStatus } from '../../../wiring/store/openedStore.ts';
import type { ListedTask, TaskPage } from './gatherTasks.ts';
import { verifyingText } from './verifyingText.ts';

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

/** The page of `stopgate task list`: one row per task, totals last. */
export function listText(page: TaskPage, { isTerminal, ...layout }: ListLayout): string {
  const { now, tasks } = page;
  const isSame = (of: (task: ListedTask) => string) => new Set(tasks.map(of)).size <= 1;
  const columns: readonly Column<ListedTask>[] = [
    { title: 'TASK', cell: ({ id }) => ({ text: isTerminal ? id.slice(0, SHORT_ID) : id }) },
    { title: 'STATE', cell: ({ shownStatus }) => ({ text: shownStatus, style: STATUS_STYLES[shownStatus] }) },
    { title: 'AGE', cell: ({ createdAt }) => ({ text: formatSeconds(now - createdAt) }) },
    { title: 'TRY', cell: (task) => ({ text: attemptOf(task) }) },
    { title: 'STARTS', cell: ({ starts }) => ({ text: String(starts) }) },
    { title: 'PRIO', isSpare: true, cell: ({ priority }) => ({ text: String(priority) }) },
    { title: 'QUEUE', isSpare: isSame(({ queue }) => queue), cell: ({ queue }) => ({ text: queue }) },
    { title: 'TYPE', isSpare: isSame(({ type }) => type), cell: ({ type }) => ({ text: type }) },
    { title: 'HOLDER', cell: ({ holder }) => ({ text: holder ?? '' }) },
    { title: 'TITLE', cell: (task) => ({ text: titleOf(task, now) }) },
  ];
  const shown = columns.filter(({ title }) => title !== 'HOLDER' || tasks.some(({ holder }) => holder !== null));
  const more = page.isCut ? layout.paint('dim', '… and more; use --limit to show more, --state to filter\n') : '';
  return `${columnsText(layout, shown, tasks)}\n${more}${totalsLine(page)}\n${keptLine(page)}`;
}

/** The state of these tasks in the store is older than what their workers did. */
function keptLine({ kept }: TaskPage): string {
  if (kept.length === 0) return '';
  const ids = kept.map(({ request }) => request.lease.taskId.slice(0, SHORT_ID)).join(', ');
  const what = kept.length === 1 ? '1 settlement is' : `${kept.length} settlements are`;
  return `${what} kept on this machine until the store has answered a worker here: ${ids} (\`stopgate fleet status\`).\n`;
}

/** The reason for waiting or failing comes first, so that it is not truncated. */
function titleOf(task: ListedTask, now: number): string {
  const why = whyOf(task, now);
  return why === '' ? task.title : `[${why}] ${task.title}`;
}

function whyOf(task: ListedTask, now: number): string {
  const { status, runAt, unmetDependencies, holdReason, lastError } = task;
  const released = releasedText(task);
  if (status === 'delayed')
    return `in ${formatSeconds(runAt - now)}${released && `, ${released}`}${lastError ? ` after: ${oneLine(lastError, WHY)}` : ''}`;
  if (status === 'ready') return [task.limitedBy, released].filter(Boolean).join(', ');
  if (status === 'blocked')
    return task.stuckOn === null
      ? `waits for ${unmetDependencies}`
      : `waits for ${task.stuckOn.taskId.slice(0, SHORT_ID)}, which is ${task.stuckOn.state}`;
  if (status === 'held') return oneLine(holdReason ?? '', WHY);
  if (status === 'verifying') return verifyingText(task, now);
  return status === 'dead' && lastError ? oneLine(lastError, WHY) : '';
}

/** How often it was given back, of how often it may be. */
const releasedText = ({ releases, maxReleases }: Pick<Task, 'releases' | 'maxReleases'>) =>
  releases === 0 ? '' : `released ${releases} of ${maxReleases}`;

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
