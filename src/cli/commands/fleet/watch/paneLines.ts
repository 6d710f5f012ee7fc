import { STOP_LIMITS } from '../../../../fleet/decisions/stopStep.ts';
import { formatAgo, formatSeconds } from '../../../../system/formatDuration.ts';
import { hostNameOf } from '../../../../system/thisHost.ts';
import { columnsOf, oneLine } from '../../../output/visibleText.ts';
import { attemptOf } from '../../task/list/listText.ts';
import type { Layout } from '../status/fleetStatusText.ts';
import type { StatusWorker } from '../status/gatherFleetStatus.ts';
import { type ItemState, stateOf } from './stateOf.ts';
import { markedState, STATES } from './states.ts';
import { holderOf, type Item, type Pane, type WatchFacts } from './watchFacts.ts';

/** A pane as it is asked for: its rows, and the line that is selected. */
export interface PaneRequest {
  readonly pane: Pane;
  readonly isFocused: boolean;
  readonly heading: string;
  readonly items: readonly Item[];
  readonly selected: number;
  readonly facts: WatchFacts;
  readonly now: number;
}

interface Row {
  readonly item: Item;
  readonly facts: WatchFacts;
  readonly now: number;
  readonly shown: ItemState;
  readonly width: number;
}

interface PaneColumn {
  readonly title: string;
  /** The narrowest terminal that has it. */
  readonly from: number;
  most?(width: number): number;
  cell(row: Row): string;
}

const GAP = '  ';
const STATE_COLUMNS = 11;

/** The titles, and the rows around the selected one that fit; only these are formatted. */
export function paneLines(request: PaneRequest, { paint, width, height }: Layout) {
  const { pane, isFocused, heading, items, selected, facts, now } = request;
  const room = Math.max(1, height - 1);
  // the first rows matter most: only the pane where a person moves follows the selection
  const around = isFocused ? selected : 0;
  const first = Math.max(0, Math.min(around - Math.floor(room / 2), items.length - room));
  const visible = items.slice(first, first + room);
  const rows = visible.map((item): Row => ({ item, facts, now, shown: stateOf(item, facts, now), width }));
  const { columns, text, title } = PANES[pane];
  const cells = cellsOf(columns, rows, width);
  const stateWide = Math.max(STATE_COLUMNS, heading.length);
  const used = 2 + stateWide + cells.reduce((sum, { wide }) => sum + GAP.length + wide, 0);
  const rest = Math.max(4, width - used - GAP.length);
  const titles = [padded(heading, stateWide), ...cells.map((one) => padded(one.title, one.wide)), title].join(GAP);
  const lines = rows.map((row, at) => {
    const isSelected = isFocused && first + at === selected;
    const { style } = STATES[row.shown.state];
    const state = paint(style, padded(markedState(row.shown.state), stateWide));
    const others = [...cells.map(({ all, wide }) => padded(all[at] ?? '', wide)), oneLine(text(row), rest)].join(GAP);
    return `${isSelected ? '>' : ' '} ${state}${GAP}${isSelected ? paint('bold', others) : others}`;
  });
  const head = paint(isFocused ? 'bold' : 'dim', `${isFocused ? '▸' : ' '} ${oneLine(titles, width - 2)}`);
  return { lines: [head, ...lines], visible };
}

/** The last cell of a row as a whole, for where it is cut. */
export function wholeText(item: Item, facts: WatchFacts, now: number): string {
  const row: Row = { item, facts, now, shown: stateOf(item, facts, now), width: Number.POSITIVE_INFINITY };
  return PANES[item.type === 'task' ? 'tasks' : 'workers'].text(row);
}

/** The columns that the width has, without those that would be empty. */
function cellsOf(columns: readonly PaneColumn[], rows: readonly Row[], width: number) {
  return columns
    .filter(({ from }) => width >= from)
    .map(({ title, most = () => 24, cell }) => ({ title, all: rows.map((row) => oneLine(cell(row), most(width))) }))
    .filter(({ all }) => all.some((one) => one !== ''))
    .map(({ title, all }) => ({ title, all, wide: Math.max(title.length, ...all.map(columnsOf)) }));
}

/** A long name must leave room for what it does. */
const nameColumns = (width: number) => (width < 60 ? 10 : 20);

const padded = (text: string, width: number) => text + ' '.repeat(Math.max(0, width - columnsOf(text)));

/** The task of a row: of a worker, what it has. */
const taskIdOf = ({ item }: Row): string | null => {
  if (item.type === 'task') return item.id;
  return item.type === 'worker' ? item.worker.taskId : null;
};

const since = (at: number | null | undefined, now: number) => (at == null ? '' : formatSeconds(now - at));

/** How long it has worked, waited or been over. */
function timeOf(row: Row): string {
  const { item, facts, now } = row;
  const claimedAt = facts.attempts.get(taskIdOf(row) ?? '')?.claimedAt;
  if (item.type === 'worker') return since(claimedAt ?? item.worker.idleSince ?? item.worker.lastClaimedAt, now);
  if (item.type === 'slot') return '';
  return since(item.task.status === 'claimed' ? (claimedAt ?? item.task.updatedAt) : item.task.updatedAt, now);
}

/** Of the time budget of its task. */
function leftOf(row: Row): string {
  const deadlineAt = facts(row)?.deadlineAt ?? null;
  if (deadlineAt === null) return '';
  return deadlineAt <= row.now ? 'over' : formatSeconds(deadlineAt - row.now);
}

const facts = (row: Row) => {
  const { item } = row;
  if (item.type === 'task' && item.task.status !== 'claimed') return undefined;
  return row.facts.attempts.get(taskIdOf(row) ?? '');
};

function tryOf(row: Row): string {
  const task = row.item.type === 'task' ? row.item.task : row.facts.tasks.find(({ id }) => id === taskIdOf(row));
  return task === undefined ? '' : attemptOf(task);
}

function spentOf(row: Row): string {
  const { item } = row;
  const workerId = item.type === 'task' ? holderOf(row.facts, item.id)?.id : item.id;
  const usd = row.facts.spends.get(workerId ?? '') ?? facts(row)?.details.costUsd;
  return usd === undefined ? '' : `$${usd.toFixed(2)}`;
}

const ofWorker = (row: Row, cell: (worker: StatusWorker) => string | null) =>
  row.item.type === 'worker' ? (cell(row.item.worker) ?? '') : '';

/** Only where there are several. */
function hostOf(row: Row): string {
  const hosts = new Set(row.facts.status.workers.map(({ host }) => host));
  return hosts.size > 1 ? ofWorker(row, ({ host }) => (host === null ? null : hostNameOf(host))) : '';
}

const TIMES: readonly PaneColumn[] = [
  { title: 'TIME', from: 60, cell: timeOf },
  { title: 'LEFT', from: 60, cell: leftOf },
  { title: 'TRY', from: 76, cell: tryOf },
  { title: 'SPENT', from: 76, cell: spentOf },
];

interface PaneTable {
  readonly columns: readonly PaneColumn[];
  /** The last column, which gets the rest of the line. */
  readonly title: string;
  text(row: Row): string;
}

const PANES: Readonly<Record<Pane, PaneTable>> = {
  workers: {
    columns: [
      { title: 'WORKER', from: 0, most: nameColumns, cell: ({ item }) => item.id },
      { title: 'HOST', from: 100, cell: hostOf },
      ...TIMES,
    ],
    title: 'TASK',
    text: workerText,
  },
  tasks: {
    columns: [
      { title: 'TASK', from: 0, cell: ({ item }) => item.id.slice(0, 8) },
      ...TIMES,
      {
        title: 'WORKER',
        from: 90,
        most: nameColumns,
        cell: ({ item, facts: all }) => holderOf(all, item.id)?.id ?? '',
      },
    ],
    title: 'TITLE',
    text: taskText,
  },
};

/** The reason comes first, so that it is not cut, and leaves room for the title. */
function taskText({ item, shown, width }: Row): string {
  const title = item.type === 'task' ? item.task.title : '';
  return shown.why === '' ? title : `[${oneLine(shown.why, Math.max(12, Math.floor(width * 0.4)))}] ${title}`;
}

/** Its task and what it does now, or why it does nothing. */
function workerText(row: Row): string {
  const { item, shown } = row;
  if (item.type !== 'worker' || item.worker.taskId === null) return shown.why;
  const title = item.worker.taskTitle ?? item.worker.taskId.slice(0, 8);
  const parts = [shown.why, title].filter((part) => part !== '').join(' · ');
  const doing = doingNow(item.worker, row);
  return doing === '' ? parts : `${parts} › ${doing}`;
}

function doingNow(worker: StatusWorker, { facts: { outputs }, now }: Row): string {
  const { toolStartedAt, stopBlocks, lastBlockReason, activityAt } = worker;
  if (stopBlocks > 0) return `sent back ${stopBlocks}/${STOP_LIMITS.heldBlocks}: ${lastBlockReason ?? ''}`;
  const output = outputs.get(worker.id) ?? '';
  if (toolStartedAt !== null)
    return [`tool for ${formatSeconds(now - toolStartedAt)}`, output].filter(Boolean).join(', ');
  return output === '' ? `active ${formatAgo(activityAt, now)}` : output;
}
