import { readLeaderName } from '../../../../fleet/coordinator/leaderName.ts';
import { STOP_LIMITS } from '../../../../fleet/decisions/stopFacts.ts';
import { formatSeconds } from '../../../../system/formatDuration.ts';
import type { Paint } from '../../../output/colors.ts';
import { type Cell, tableText } from '../../../output/table.ts';
import { oneLine } from '../../../output/visibleText.ts';
import { statusText } from '../../worker/gatherWorkers.ts';
import { STATUS_STYLES } from '../../worker/statusStyles.ts';
import { eventInWords, isShown } from './eventInWords.ts';
import type { FleetStatus, StatusWorker } from './gatherFleetStatus.ts';

export interface StatusLayout {
  readonly paint: Paint;
  /** Endless in a pipe: nothing is cut there. */
  readonly width: number;
  /** How many lines there is room for; endless where it scrolls. */
  readonly height: number;
}

const TITLES = ['WORKER', 'KIND', 'STATE', 'BEAT', 'ACTIVE', 'IDLE', 'BLOCKS', 'TASK'];
/** Where there is no room for what seldom matters. */
const NARROW = TITLES.filter((title) => title !== 'KIND' && title !== 'ACTIVE');
const WIDE = 100;
const MOST_EVENTS = 8;
const LEAST_WORKERS = 4;

/** The whole page, cut to its height: events go first, then workers, and what is cut is counted. */
export function fleetStatusText(status: FleetStatus, layout: StatusLayout): string {
  const head = headLines(status, layout);
  const shown = status.events.filter(isShown);
  // the empty lines between the parts, and the titles of the table
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

function headLines(status: FleetStatus, layout: StatusLayout): readonly string[] {
  const { paint, width } = layout;
  const { tasks, accounts, resting, starts, now } = status;
  const label = (text: string) => paint('bold', text.padEnd(9));
  const cut = (text: string) => oneLine(text, width - 9);
  const lines = [
    `${label('Store')}${cut(status.store)}`,
    `${label('Leader')}${leaderText(status, layout)}`,
    `${label('Tasks')}${cut(tasksText(status))}`,
  ];
  if (tasks.nextDueAt !== null && tasks.ready === 0) {
    lines.push(
      `${label('')}${cut(`the next delayed one is due in ${formatSeconds(Math.max(0, tasks.nextDueAt - now))}`)}`,
    );
  }
  for (const { key, pausedUntil, source } of accounts) {
    const left = formatSeconds(Math.max(0, (pausedUntil ?? now) - now));
    const text = `account ${key} until ${timeOfDay(pausedUntil ?? now)} (${left})${source ? `, ${source}` : ''}`;
    lines.push(`${label('Paused')}${paint('yellow', cut(text))}`);
  }
  const bad = starts.crashed > 0 ? `, ${starts.crashed} ended badly` : '';
  lines.push(`${label('Starts')}${cut(`${starts.lastHour} in the last hour${bad}`)}`);
  for (const { slot, why, untilAt } of resting) {
    const text = `${slot} ${RESTING[why]}; starts again in ${formatSeconds(Math.max(0, untilAt - now))}`;
    lines.push(`${label('Resting')}${paint(why === 'backoff' ? 'yellow' : 'red', cut(text))}`);
  }
  return lines;
}

const RESTING = {
  backoff: 'ended badly',
  crashLoop: 'crashes again and again',
  fruitless: 'ends again and again without doing anything',
} as const;

function leaderText({ coordinators, leaders, workers, now }: FleetStatus, { paint, width }: StatusLayout): string {
  const room = width - 9;
  const here = coordinators.map(({ fleet, pid, startedAt }) => {
    const leads = leaders.some(({ holder }) => readLeaderName(holder)?.pid === pid);
    return `${fleet}: process ${pid}${leads ? '' : ', standing by'}, up ${formatSeconds(Math.max(0, now - startedAt))}`;
  });
  if (here.length > 0) return oneLine(here.join(' · '), room);
  const elsewhere = leaders.map(({ fleet, holder }) => `${fleet}: ${holder}`);
  const last = elsewhere.length > 0 ? ` (last known: ${elsewhere.join(', ')})` : '';
  const text = `none on this host; \`stopgate fleet up\` starts one${last}`;
  return paint(workers.length > 0 ? 'yellow' : 'dim', oneLine(text, room));
}

function tasksText({ tasks }: FleetStatus): string {
  const { ready, claimed, delayed, blocked, held, verifying, done, dead, cancelled } = tasks;
  const always = [`${ready} ready`, `${claimed} in work`, `${done} done`];
  const others = { delayed, blocked, held, verifying, dead, cancelled };
  return [
    ...always,
    ...Object.entries(others).flatMap(([name, count]) => (count > 0 ? [`${count} ${name}`] : [])),
  ].join(' · ');
}

function workerLines(status: FleetStatus, { paint, width }: StatusLayout, room: number): readonly string[] {
  if (status.workers.length === 0) return [paint('dim', 'No worker is running.')];
  const titles = width >= WIDE ? TITLES : NARROW;
  const most = status.workers.length > room ? room - 1 : room;
  const rows = status.workers.slice(0, most).map((worker) => {
    const cells = cellsOf(worker, status.now);
    return titles.map((title) => cells[title] ?? { text: '' });
  });
  const left = status.workers.length - rows.length;
  const lines = tableText({ paint, width, titles }, rows).split('\n');
  return left > 0 ? [...lines, paint('dim', `… and ${left} more`)] : lines;
}

function cellsOf(worker: StatusWorker, now: number): Readonly<Record<string, Cell>> {
  const { shownStatus, stopBlocks, taskId, taskTitle } = worker;
  const task = taskId === null ? '' : `${taskId.slice(0, 8)} ${taskTitle ?? ''}`;
  return {
    WORKER: { text: worker.id },
    KIND: { text: worker.kind },
    STATE: { text: statusText(worker, now), style: STATUS_STYLES[shownStatus] },
    BEAT: { text: formatSeconds(Math.max(0, now - worker.heartbeatAt)) },
    ACTIVE: { text: formatSeconds(Math.max(0, now - worker.activityAt)) },
    IDLE: { text: idleText(worker, now) },
    BLOCKS: { text: stopBlocks === 0 ? '' : `${stopBlocks}/${STOP_LIMITS.heldBlocks}` },
    TASK: { text: task },
  };
}

function idleText({ idleSince, idleLimitMs }: StatusWorker, now: number): string {
  if (idleSince === null) return '';
  return `${formatSeconds(Math.max(0, now - idleSince))}/${idleLimitMs === null ? '∞' : formatSeconds(idleLimitMs)}`;
}

function eventLines(now: number, events: FleetStatus['events'], { paint, width }: StatusLayout): readonly string[] {
  return events.map((event) => {
    const age = formatSeconds(Math.max(0, now - event.at)).padStart(6);
    return `${paint('dim', age)}  ${oneLine(eventInWords(event), width - age.length - 2)}`;
  });
}

const timeOfDay = (at: number) => new Date(at).toTimeString().slice(0, 5);
