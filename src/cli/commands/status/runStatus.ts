import { taskName } from '../../../background/taskName.ts';
import type { BackgroundRun } from '../../../schemas/backgroundRuns.ts';
import { wallNow } from '../../../system/clock.ts';
import { formatAgo, formatDuration } from '../../../system/formatDuration.ts';
import { formatTokens } from '../../../system/formatTokens.ts';
import { thisWorld } from '../../../system/world.ts';
import type { Page } from '../../output/page.ts';
import { printResult } from '../../output/printResult.ts';
import { type Cell, tableOrList } from '../../output/table.ts';
import { visibleText } from '../../output/visibleText.ts';
import type { Flags } from '../task/taskOptions.ts';
import { gateLines } from './gateStatus.ts';
import { gatherStatus, type Status, spentBy } from './gatherStatus.ts';

export async function runStatus(options: Flags<never, 'json' | 'all'>): Promise<number> {
  const world = thisWorld();
  const status = await gatherStatus(world, { all: options.all === true });
  return printResult(options.json ? status : null, world, (page) => statusText(status, page, wallNow(world.clock)));
}

const SHOWN_RUNS = 10;

/** The page of `stopgate status`. */
export function statusText(status: Status, page: Page, now: number): string {
  const { paint } = page;
  const tasks = tableOrList(
    page,
    ['TASK', 'NOW', 'RAN', 'SKIPPED', 'FAILED', 'TOKENS', 'COST', 'WHY'],
    status.tasks.map(taskRow),
  );
  const collapsed = collapse(status.runs);
  const latest = collapsed.slice(0, SHOWN_RUNS);
  const runs =
    latest.length === 0
      ? 'No background tasks in this folder yet.'
      : tableOrList(
          page,
          ['WHEN', 'TASK', 'OUTCOME', 'TOOK', 'TOKENS', 'DETAILS'],
          latest.map(({ run, times }) => runRow(run, times, now)),
        );
  const more = collapsed.length - latest.length;
  return [
    paint('bold', 'Checks at stops'),
    ...gateLines(status.gate, page, now),
    '',
    ...trustLines(status, page),
    paint('bold', 'Background tasks'),
    tasks,
    page.block(spendLine(status.tasks), 0),
    '',
    paint('bold', 'Latest background tasks'),
    runs,
    ...(more > 0 ? [paint('dim', `… and ${more} more (--json shows all)`)] : []),
    '',
    paint('bold', 'Memory'),
    ...memoryLines(status, page, now).map((line) => page.block(line, 0)),
    '',
    paint('dim', page.block(limitsLine(status, page), 0)),
    ...status.warnings.map((warning) => paint('yellow', page.block(`! ${warning}`, 0))),
    '',
  ].join('\n');
}

/** Nothing while everything runs as it was approved. */
function trustLines({ trust }: Status, page: Page): readonly string[] {
  if (trust.leftOut.length === 0) return [];
  const lines = trust.leftOut.map((sentence) => page.paint('yellow', page.block(visibleText(sentence), 0)));
  return [page.paint('bold', "Off in this project's own files"), ...lines, ''];
}

function spendLine(tasks: Status['tasks']): string {
  const { tokens, requests, costUsd } = spentBy(tasks);
  return `Total: ${formatTokens(tokens)} tokens in ${requests} request${requests === 1 ? '' : 's'}, ${formatCost(costUsd)}.`;
}

function taskRow(task: Status['tasks'][number]): Cell[] {
  return [
    { text: taskName(task.task) },
    { text: task.on ? 'on' : 'off', style: task.on ? 'green' : 'dim' },
    { text: String(task.ran) },
    { text: String(task.skipped) },
    { text: String(task.failed), ...(task.failed > 0 ? { style: 'red' as const } : {}) },
    { text: formatTokens(task.tokens) },
    { text: formatCost(task.costUsd) },
    { text: task.why, style: 'dim' },
  ];
}

const STYLES: Readonly<Record<BackgroundRun['outcome'], NonNullable<Cell['style']>>> = {
  ran: 'green',
  skipped: 'dim',
  superseded: 'dim',
  cancelled: 'yellow',
  failed: 'red',
};

/** Shows a repeated decision (such as `off` at every turn) once, at its latest occurrence. */
function collapse(runs: readonly BackgroundRun[]) {
  const same = Map.groupBy(runs, (run, at) => (run.outcome === 'skipped' ? `${run.task} ${run.reason}` : at));
  return [...same.values()].flatMap(([run, ...others]) => (run ? [{ run, times: 1 + others.length }] : []));
}

function runRow(run: BackgroundRun, times: number, now: number): Cell[] {
  return [
    { text: formatAgo(Date.parse(run.at), now) },
    { text: taskName(run.task) },
    { text: run.outcome, style: STYLES[run.outcome] },
    { text: run.durationMs === 0 ? '' : formatDuration(run.durationMs) },
    { text: run.tokens === 0 ? '' : formatTokens(run.tokens) },
    { text: times === 1 ? run.reason : `${times} times: ${run.reason}` },
  ];
}

function memoryLines({ memory }: Status, page: Page, now: number): string[] {
  const folder = page.place({ file: memory.folder });
  const dreamt = memory.lastDreamAt ? formatAgo(Date.parse(memory.lastDreamAt), now) : 'never';
  const facts = `${memory.facts} fact${memory.facts === 1 ? '' : 's'}, ${(memory.bytes / 1024).toFixed(1)} kB`;
  return [
    `${facts} in ${folder}${memory.recalled ? '' : ' (not recalled in sessions: memory is off)'}`,
    `Consolidated: ${dreamt}${memory.backup ? `; the previous files are in ${page.place({ file: memory.backup })}` : ''}`,
  ];
}

function limitsLine({ limits, log }: Status, page: Page): string {
  return `Limits per run: ${formatTokens(limits.maxTokens)} tokens, $${limits.maxUsd} and ${formatDuration(limits.timeoutMs)}; an exit waits up to ${formatDuration(limits.drainMs)}. All decisions are logged in ${page.place({ file: log })}.`;
}

const formatCost = (usd: number | null): string => {
  if (usd === null) return 'unknown';
  return usd === 0 ? '$0' : `$${usd.toFixed(4)}`;
};
