import { readLeaderName } from '../../../../fleet/coordinator/leaderName.ts';
import { describeFull } from '../../../../fleet/worker/reviewLimitedStore.ts';
import { formatSeconds } from '../../../../system/formatDuration.ts';
import { isSameHost, thisHost } from '../../../../system/thisHost.ts';
import { columnsOf, oneLine } from '../../../output/visibleText.ts';
import { describeShortage } from '../describeShortage.ts';
import { type Layout, leaderHost, reviewLines } from '../status/fleetStatusText.ts';
import { paneLines } from './paneLines.ts';
import { clockTime, stateOf } from './stateOf.ts';
import { type FleetState, STATES } from './states.ts';
import { type Context, selectedIndex } from './ui.ts';
import { type Item, itemsOf, type Pane } from './watchFacts.ts';

export interface PageBody {
  readonly lines: readonly string[];
  /** What more is read for. */
  readonly visible: readonly Item[];
  readonly mostScroll: number;
}

/** Below this, only the pane with the selection is shown. */
const ROOM_FOR_BOTH = 10;
const SMALL_HEIGHT = 14;

/** Workers above, tasks below, with totals and what is wrong at the top. */
export function listPage(context: Context, layout: Layout): PageBody {
  const { ui, items } = context;
  const head = headLines(context, layout);
  const room = layout.height - head.length;
  const panes = heightsOf(ui.pane, room, items.workers.length);
  const bodies = panes.map(([pane, height]) => paneBody(context, pane, { ...layout, height }));
  return {
    lines: [...head, ...bodies.flatMap(({ lines }) => lines)],
    visible: bodies.flatMap(({ visible }) => visible),
    mostScroll: 0,
  };
}

function paneBody(context: Context, pane: Pane, layout: Layout) {
  const { ui, items, facts, now } = context;
  const { paint, width, height } = layout;
  const all = items[pane];
  const note = (text: string | null) => (text === null ? [] : [paint('dim', `  ${oneLine(text, width - 2)}`)]);
  const below = note(all.length === 0 ? nothingText(context, pane) : unlistedText(context, pane));
  const { lines, visible } = paneLines(
    {
      pane,
      isFocused: ui.pane === pane,
      heading: headingOf(context, pane),
      items: all,
      selected: selectedIndex(ui, pane, all),
      facts,
      now,
    },
    { ...layout, height: height - below.length },
  );
  return { lines: fill([...lines, ...below], height), visible };
}

const fill = (lines: readonly string[], height: number) =>
  Array.from({ length: Math.max(0, height) }, (_unused, at) => lines[at] ?? '');

/** Workers get what they need, at most about half; tasks the rest. */
function heightsOf(pane: Pane, room: number, workers: number): readonly (readonly [Pane, number])[] {
  if (room < ROOM_FOR_BOTH) return [[pane, room]];
  const share = Math.floor(room * (pane === 'workers' ? 0.6 : 0.4));
  const forWorkers = Math.max(3, Math.min(workers + 2, share));
  return [
    ['workers', forWorkers],
    ['tasks', room - forWorkers],
  ];
}

function headingOf({ items, ui, facts }: Context, pane: Pane): string {
  const name = pane.toUpperCase();
  if (ui.filter !== '') return `${name} ${items[pane].length.toLocaleString('en')} found`;
  const total = pane === 'tasks' ? totalTasks(facts.status.tasks) : items.workers.length;
  return `${name} ${total.toLocaleString('en')}`;
}

/** Not all of a large store are read. */
function unlistedText({ facts }: Context, pane: Pane): string | null {
  const left = totalTasks(facts.status.tasks) - facts.tasks.length;
  if (pane === 'workers' || left <= 0) return null;
  return `… ${left.toLocaleString('en')} more are not listed; \`stopgate task list\` shows them`;
}

const totalTasks = ({ nextDueAt: _time, ...counts }: Context['facts']['status']['tasks']) =>
  Object.values(counts).reduce((sum, count) => sum + count, 0);

function nothingText({ ui, facts }: Context, pane: Pane): string {
  if (ui.filter !== '') return `Nothing matches “${ui.filter}”.`;
  if (pane === 'tasks') return 'There are no tasks; `stopgate task add "title"` adds one.';
  const { coordinators, tasks, movedTo } = facts.status;
  if (movedTo !== null || coordinators.some(({ shortage }) => shortage !== null))
    return 'No worker is running; the reason is above.';
  if (coordinators.length > 0) return 'No worker is running; the coordinator starts some when tasks wait for them.';
  return `No worker is running; \`stopgate fleet up\` starts some.${tasks.ready > 0 ? ' Tasks are waiting.' : ''}`;
}

function headLines(context: Context, { paint, width, height }: Layout): readonly string[] {
  const { status } = context.facts;
  const all = [workersText(context), tasksText(context)];
  const focused = context.ui.pane === 'workers' ? all[0] : all[1];
  if (height < SMALL_HEIGHT) return [oneLine(focused ?? '', width)];
  const joined = all.join(' · ');
  const counts = columnsOf(joined) <= width ? [joined] : all.map((text) => oneLine(text, width));
  const title = `${paint('bold', 'stopgate fleet')} ${oneLine(`· ${leaderText(context)} · ${status.store}`, width - 15)}`;
  const alerts = alertTexts(context).map((text) => paint('yellow', oneLine(text, width)));
  return [title, ...counts, ...alerts.slice(0, 2), ''];
}

/** `2 working · 1 waiting`: all of them, whatever the filter shows. */
function workersText({ facts, now }: Context): string {
  const states = itemsOf(facts, '').workers.map((item) => stateOf(item, facts, now).state);
  const order = Object.keys(STATES) as FleetState[];
  const parts = order.flatMap((state) => {
    const count = states.filter((one) => one === state).length;
    return count === 0 ? [] : [`${count} ${state}`];
  });
  return parts.length === 0 ? 'no workers' : `workers: ${parts.join(', ')}`;
}

const TASK_ORDER = [
  'claimed',
  'verifying',
  'ready',
  'delayed',
  'blocked',
  'held',
  'dead',
  'done',
  'cancelled',
] as const;

function tasksText({ facts }: Context): string {
  const { tasks } = facts.status;
  const parts = TASK_ORDER.flatMap((status) =>
    tasks[status] > 0 ? [`${tasks[status].toLocaleString('en')} ${status === 'claimed' ? 'in progress' : status}`] : [],
  );
  return parts.length === 0 ? 'no tasks' : `tasks: ${parts.join(', ')}`;
}

function leaderText({ facts, now }: Context): string {
  const { coordinators, leaders } = facts.status;
  const here = coordinators.map(({ fleet, pid, startedAt }) => {
    const standsBy = leaders.some((one) => one.fleet === fleet && readLeaderName(one.holder)?.pid !== pid);
    return `${fleet}${standsBy ? ' (standing by)' : ''} up ${formatSeconds(now - startedAt)}`;
  });
  if (here.length > 0) return here.join(', ');
  // one of this host that is not among the running ones was killed
  const elsewhere = leaders.filter(({ holder }) => !isSameHost(readLeaderName(holder)?.host ?? null, thisHost()));
  return elsewhere.length > 0
    ? elsewhere.map(({ fleet, holder }) => `${fleet} led from ${leaderHost(holder)}`).join(', ')
    : 'no coordinator on this host';
}

/** What is wrong with all of it, not with one row. */
function alertTexts({ facts, now }: Context): readonly string[] {
  const { status, pausedQueues } = facts;
  return [
    ...(status.movedTo === null
      ? []
      : [`! its tasks have moved to ${status.movedTo}; this is their state at that time`]),
    ...status.coordinators.flatMap(({ shortage }) =>
      shortage === null ? [] : [`‖ no further worker: ${describeShortage(shortage)}`],
    ),
    ...status.accounts.map(({ key, pausedUntil, source }) => {
      const until = pausedUntil ?? now;
      return `‖ account ${key} is paused until ${clockTime(until)} (${formatSeconds(until - now)})${source ? `: ${source}` : ''}`;
    }),
    ...status.full.map((full) => `‖ ${describeFull(full)}`),
    ...[...pausedQueues].map((queue) => `‖ the queue ${queue} is paused`),
    ...(status.starts.crashed > 0
      ? [`✗ ${status.starts.crashed} of ${status.starts.lastHour} starts in the last hour crashed`]
      : []),
    // a queue that is full of them is named above
    ...reviewLines(status.full.length === 0 ? status : { ...status, reviews: 0 }),
  ];
}
