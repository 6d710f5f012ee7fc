import { describeLeader, readLeaderName } from '../../../../fleet/coordinator/leaderName.ts';
import { STOP_LIMITS } from '../../../../fleet/decisions/stopStep.ts';
import { describeFull } from '../../../../fleet/worker/reviewLimitedStore.ts';
import { describeUnlanded } from '../../../../launch/land/landingLease.ts';
import { formatSeconds } from '../../../../system/formatDuration.ts';
import { hostNameOf } from '../../../../system/thisHost.ts';
import type { Paint } from '../../../output/colors.ts';
import { wrappedAt } from '../../../output/page.ts';
import { type Column, columnsText } from '../../../output/table.ts';
import { oneLine } from '../../../output/visibleText.ts';
import type { StoreEvent } from '../../../wiring/store/openedStore.ts';
import { statusColumn } from '../../worker/gatherWorkers.ts';
import { describeShortage } from '../describeShortage.ts';
import type { FleetStatus, StatusWorker } from './gatherFleetStatus.ts';

export interface Layout {
  readonly paint: Paint;
  /** Infinite in a pipe: nothing is truncated there. */
  readonly width: number;
  /** Lines on the screen; infinite where it scrolls. */
  readonly height: number;
  /** Where it scrolls: workers that do not fit beside their titles are listed. */
  block?(text: string, indent: number): string;
}

const MOST_EVENTS = 8;
const LEAST_WORKERS = 4;

/** The page, cut to its height: events are dropped first, then workers, which are counted. */
export function fleetStatusText(status: FleetStatus, layout: Layout): string {
  const head = headLines(status, layout);
  const shown = status.events.filter(isShown);
  // minus two empty lines and the titles of the table
  const roomForAll = layout.height - head.length - 3;
  const roomForEvents = Math.min(MOST_EVENTS, roomForAll - Math.max(1, status.workers.length));
  const events = roomForEvents > 0 ? shown.slice(-roomForEvents) : [];
  const roomForWorkers = Math.max(LEAST_WORKERS, roomForAll - events.length);
  return [
    ...head,
    '',
    ...workerLines(status, layout, roomForWorkers),
    ...(events.length > 0 ? ['', ...eventLines(status.now, events, layout)] : []),
  ].join('\n');
}

type Style = 'yellow' | 'red' | 'dim';

function headLines(status: FleetStatus, layout: Layout): readonly string[] {
  const { paint, width, height } = layout;
  const { tasks, accounts, resting, starts, now } = status;
  const lines: string[] = [];
  const add = (label: string, text: string, style?: Style) => {
    // a page that is repainted has no lines to spare
    const scrolls = height === Number.POSITIVE_INFINITY;
    const shown = scrolls ? wrappedAt(oneLine(text), width - 9) : [oneLine(text, width - 9)];
    for (const [at, line] of shown.entries())
      lines.push(
        `${paint('bold', (at === 0 ? label : '').padEnd(9))}${style === undefined ? line : paint(style, line)}`,
      );
  };
  add('Store', status.store);
  add('Leader', ...leaderText(status));
  add('Tasks', tasksText(status));
  if (tasks.nextDueAt !== null && tasks.ready === 0)
    add('', `the next delayed task is due in ${formatSeconds(tasks.nextDueAt - now)}`);
  for (const { key, pausedUntil, source } of accounts) {
    const until = pausedUntil ?? now;
    const time = new Date(until).toTimeString().slice(0, 5);
    const text = `account ${key} until ${time} (${formatSeconds(until - now)})${source ? `, ${source}` : ''}`;
    add('Paused', text, 'yellow');
  }
  for (const { fleet, shortage } of status.coordinators) {
    if (shortage !== null)
      add('Full', `fleet ${fleet} needs another worker, but ${describeShortage(shortage)}`, 'yellow');
  }
  for (const { queue, isPaused, ready } of status.queues) {
    const why = isPaused ? 'is paused' : 'has no worker';
    const text = `queue ${queue} ${why}: ${ready} task${ready === 1 ? ' waits' : 's wait'}`;
    add(isPaused ? 'Paused' : 'Unserved', text, 'yellow');
  }
  for (const text of reviewLines(status)) add('Review', text);
  for (const full of status.full) add('Paused', describeFull(full), 'yellow');
  for (const { queue, limit, inProgress } of status.limits.queues) {
    add('Limit', `queue ${queue}: ${inProgress} of ${limit} in progress`, inProgress < limit ? undefined : 'yellow');
  }
  for (const { id, title, nextDueAt } of status.overdue) {
    const text = `schedule ${id.slice(0, 8)} (${title}) is due for ${formatSeconds(now - nextDueAt)}: no worker or coordinator adds its task`;
    add('Overdue', text, 'yellow');
  }
  for (const { id, lastError } of status.dead)
    add('Dead', `task ${id.slice(0, 8)}: ${lastError ?? 'no reason is on record'}`, 'red');
  for (const { sentence, refused } of status.kept) add('Kept', sentence, refused === undefined ? 'yellow' : 'dim');
  const bad = starts.crashed > 0 ? `, ${starts.crashed} crashed` : '';
  add('Starts', `${starts.lastHour} in the last hour${bad}`);
  for (const slot of resting)
    add('Paused', `${slot.slot} ${restingText(slot, now)}`, slot.why === 'backoff' ? 'yellow' : 'red');
  return lines;
}

/** What a person has to decide or to continue. */
export const reviewLines = ({ reviews, unlanded }: Pick<FleetStatus, 'reviews' | 'unlanded'>): readonly string[] => [
  ...(reviews > 0
    ? [`${reviews} finished attempt${reviews === 1 ? ' waits' : 's wait'} for you: stopgate review`]
    : []),
  ...(unlanded > 0 ? [describeUnlanded(unlanded)] : []),
];

const RESTING = {
  backoff: 'ended with a failure',
  crashLoop: 'keeps crashing',
  fruitless: 'keeps ending without doing anything',
} as const;

export const restingText = ({ why, untilAt }: FleetStatus['resting'][number], now: number): string =>
  `${RESTING[why]}; restarts in ${formatSeconds(untilAt - now)}`;

function leaderText({ coordinators, leaders, workers, now }: FleetStatus): readonly [text: string, style?: Style] {
  const here = coordinators.map(({ fleet, pid, startedAt }) => {
    // an election long ago is not among the events that are read
    const standsBy = leaders.some((one) => one.fleet === fleet && readLeaderName(one.holder)?.pid !== pid);
    return `${fleet}: process ${pid}${standsBy ? ', standing by' : ''}, up ${formatSeconds(now - startedAt)}`;
  });
  if (here.length > 0) return [here.join(' · ')];
  const elsewhere = leaders.map(({ fleet, holder }) => `${fleet} on ${leaderHost(holder)}`);
  const last = elsewhere.length > 0 ? ` (last known: ${elsewhere.join(', ')})` : '';
  return [`none on this host; \`stopgate fleet up\` starts one${last}`, workers.length > 0 ? 'yellow' : 'dim'];
}

/** As people know it; a name in another format as it is. */
export function leaderHost(holder: string): string {
  const host = readLeaderName(holder)?.host;
  return host === undefined ? holder : hostNameOf(host);
}

function tasksText({ tasks, unverified }: FleetStatus): string {
  const { ready, claimed, delayed, blocked, held, verifying, done, dead, cancelled } = tasks;
  const always = [`${ready} ready`, `${claimed} in progress`, `${done} done`];
  const others = { delayed, blocked, held, verifying, dead, cancelled };
  return [
    ...always,
    ...Object.entries(others).flatMap(([name, count]) => (count > 0 ? [`${count} ${name}`] : [])),
    ...(unverified > 0 ? [`${unverified} ${unverified === 1 ? 'waits' : 'wait'} for a verifier`] : []),
  ].join(' · ');
}

function workerLines({ workers, now }: FleetStatus, layout: Layout, room: number): readonly string[] {
  const { paint } = layout;
  if (workers.length === 0) return [paint('dim', 'No worker is running.')];
  const shown = workers.slice(0, workers.length > room ? room - 1 : room);
  const left = workers.length - shown.length;
  const table = columnsText(layout, columnsAt(now), shown).split('\n');
  return left > 0 ? [...table, paint('dim', `… and ${left} more`)] : table;
}

const columnsAt = (now: number): readonly Column<StatusWorker>[] => [
  { title: 'WORKER', cell: ({ id }) => ({ text: id }) },
  { title: 'KIND', isSpare: true, cell: ({ kind }) => ({ text: kind }) },
  statusColumn(now),
  { title: 'HOST', isSpare: true, cell: ({ host }) => ({ text: host === null ? '' : hostNameOf(host) }) },
  { title: 'FOR', cell: (worker) => ({ text: elapsedText(worker, now) }) },
  { title: 'START', isSpare: true, cell: ({ epoch }) => ({ text: epoch === null ? '' : String(epoch) }) },
  { title: 'BEAT', cell: ({ heartbeatAt }) => ({ text: formatSeconds(now - heartbeatAt) }) },
  { title: 'ACTIVE', isSpare: true, cell: ({ activityAt }) => ({ text: formatSeconds(now - activityAt) }) },
  { title: 'IDLE', cell: (worker) => ({ text: idleText(worker, now) }) },
  { title: 'BLOCKS', cell: ({ stopBlocks: n }) => ({ text: n === 0 ? '' : `${n}/${STOP_LIMITS.heldBlocks}` }) },
  {
    title: 'TASK',
    cell: ({ taskId, taskTitle }) => ({ text: taskId === null ? '' : `${taskId.slice(0, 8)} ${taskTitle ?? ''}` }),
  },
];

/** How long it has had its task. */
function elapsedText({ taskId, lastClaimedAt }: StatusWorker, now: number): string {
  return taskId === null || lastClaimedAt === null ? '' : formatSeconds(now - lastClaimedAt);
}

function idleText({ idleSince, idleLimitMs }: StatusWorker, now: number): string {
  if (idleSince === null) return '';
  return `${formatSeconds(now - idleSince)}/${idleLimitMs === null ? '∞' : formatSeconds(idleLimitMs)}`;
}

function eventLines(now: number, events: FleetStatus['events'], { paint, width }: Layout): readonly string[] {
  return events.map((event) => {
    const age = formatSeconds(now - event.at).padStart(6);
    return `${paint('dim', age)}  ${oneLine(describeEvent(event), width - age.length - 2)}`;
  });
}

/** Routine events that are not shown. */
const ROUTINE: ReadonlySet<StoreEvent['kind']> = new Set([
  'attempt.checkpoint',
  'worker.updated',
  'worker.stopBlocksCleared',
  'task.acknowledged',
]);

function isShown({ kind, data }: StoreEvent): boolean {
  // a task handed over at a stop is already shown as a claim
  const isHandover = kind === 'worker.stopBlocked' && String(data.reason).startsWith('task ');
  return !ROUTINE.has(kind) && !isHandover;
}

/** `task.claimed` → `task k3v9 claimed by w1`. */
function describeEvent({ kind, workerId, taskId, epoch, actor, data }: StoreEvent): string {
  const [subject = '', verb = ''] = kind.split('.');
  const words = verb.replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
  const what = subject === 'task' || subject === 'attempt' ? `task ${taskId?.slice(0, 8) ?? ''}` : subject;
  const parts = [`${what} ${words}`];
  // a person, or a coordinator, acted on what the worker held
  const by = subject === 'worker' ? workerId : actor === null ? workerId : describeLeader(actor);
  if (by !== null && subject !== 'leader') parts.push(subject === 'worker' ? by : `by ${by}`);
  if (epoch !== null && verb === 'claimed') parts.push(`(epoch ${epoch})`);
  if (data.account !== undefined) parts.push(String(data.account));
  if (data.queue !== undefined) parts.push(String(data.queue));
  if (subject === 'leader' && by !== null) parts.push(by);
  const reason = data.reason ?? data.error ?? '';
  return reason === '' ? parts.join(' ') : `${parts.join(' ')}: ${reason}`;
}
