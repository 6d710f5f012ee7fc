import { formatAgo, formatSeconds } from '../../../../system/formatDuration.ts';
import type { Page } from '../../../output/page.ts';
import { oneLine, visibleText } from '../../../output/visibleText.ts';
import type { Attempt, StoreEvent, TaskDetail } from '../../../wiring/store/openedStore.ts';
import { attemptOf, STATUS_STYLES } from '../list/listText.ts';
import { attemptLines, eventLine } from './attemptLines.ts';

export interface ShownTask {
  readonly task: TaskDetail;
  readonly attempts: readonly Attempt[];
  readonly events: readonly StoreEvent[];
  readonly now: number;
  readonly queuePaused: boolean;
}

/** The page of `stopgate task show`. */
export function showText(shown: ShownTask, page: Page): string {
  const { task, attempts, events, now } = shown;
  const { paint } = page;
  const section = (title: string, lines: readonly string[]) =>
    lines.length === 0 ? [] : ['', paint('bold', title), ...lines];
  const quoted = (text: string | null) => (text ? [page.quote(visibleText(text.trimEnd()), '  ')] : []);
  return [
    paint('bold', page.block(visibleText(task.title), 0)),
    ...factLines(shown, page),
    ...section('Body', quoted(task.body.trim())),
    ...section(
      'After',
      task.dependsOn.map(
        (one) => `  ${one.taskId}  ${one.met ? 'met' : paint('yellow', `not met: it is ${one.state}`)}`,
      ),
    ),
    ...section('Result', quoted(task.result)),
    ...section(
      'Attempts',
      attempts.flatMap((attempt) => attemptLines(attempt, { page, now })),
    ),
    ...section(
      'Events',
      events.map((event) => eventLine(event, { page, now })),
    ),
    '',
  ].join('\n');
}

function factLines({ task, now, queuePaused }: ShownTask, page: Page): string[] {
  const { paint } = page;
  const paused = task.status === 'ready' && queuePaused ? 'paused' : task.status;
  const facts: [string, string | null][] = [
    ['Task', task.id],
    ['State', paint(STATUS_STYLES[paused], paused) + whyWaiting(task, now)],
    ['Queue', `${task.queue} · type ${task.type} · priority ${task.priority}`],
    ['Added', `${formatAgo(task.createdAt, now)} · changed ${formatAgo(task.updatedAt, now)}`],
    ['Tries', describeTries(task)],
    ['Budget', describeBudget(task)],
    ['Key', task.dedupeKey],
    ['Parent', task.parentId],
    ['Verify', task.verify],
    ['Error', task.lastError],
  ];
  return facts.flatMap(([name, value]) => (value ? [`${name.padEnd(7)} ${oneLineKept(value, page)}`] : []));
}

/** Our own colors must not be escaped. */
const oneLineKept = (value: string, page: Page) => (value.includes('\x1b[') ? value : oneLine(value, page.width - 8));

function whyWaiting(task: TaskDetail, now: number): string {
  if (task.status === 'delayed') return `, due in ${formatSeconds(task.runAt - now)}`;
  if (task.status === 'blocked')
    return `, waiting for ${task.unmetDependencies} task${task.unmetDependencies === 1 ? '' : 's'}`;
  if (task.status === 'dead') return whyDead(task);
  return task.status === 'held' ? `: ${oneLine(task.holdReason ?? '')}` : '';
}

function whyDead({ failures, maxFailures, reclaims, maxReclaims, releases, maxReleases }: TaskDetail): string {
  if (failures >= maxFailures) return `: it failed ${times(failures)} and has no tries left`;
  if (reclaims >= maxReclaims) return `: its worker was lost ${times(reclaims)}`;
  return releases >= maxReleases ? `: it was released ${times(releases)}` : '';
}

const times = (count: number) => (count === 1 ? 'once' : `${count} times`);

function describeTries(task: TaskDetail): string {
  return `${attemptOf(task)} · started ${times(task.epoch)} · failed ${task.failures} of ${task.maxFailures} · lost ${task.reclaims} of ${task.maxReclaims} · released ${task.releases} of ${task.maxReleases}`;
}

function describeBudget({ timeBudgetMs, costBudgetUsd }: TaskDetail): string | null {
  const parts = [timeBudgetMs !== null && formatSeconds(timeBudgetMs), costBudgetUsd !== null && `$${costBudgetUsd}`];
  return parts.filter((part) => part !== false).join(' · ') || null;
}
