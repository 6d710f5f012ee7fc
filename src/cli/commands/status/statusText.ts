import { taskName } from '../../../background/taskName.ts';
import type { BackgroundRun } from '../../../schemas/backgroundRuns.ts';
import { ago } from '../../output/ago.ts';
import { durationInWords, tokensInWords } from '../../output/durations.ts';
import type { Page } from '../../output/page.ts';
import { type Cell, tableText } from '../../output/table.ts';
import { gateLines } from './gateStatus.ts';
import type { Status, TaskStatus } from './gatherStatus.ts';

const SHOWN_RUNS = 10;

/** The page of `stopgate status`: what may run, what it took, and what the latest decisions were. */
export function statusText(status: Status, page: Page, now: number): string {
  const { paint, width } = page;
  const tasks = tableText(
    { paint, width, titles: ['TASK', 'NOW', 'RAN', 'SKIPPED', 'FAILED', 'TOKENS', 'COST', 'WHY'] },
    status.tasks.map(taskRow),
  );
  const told = collapsed(status.runs);
  const latest = told.slice(0, SHOWN_RUNS);
  const runs =
    latest.length === 0
      ? 'No background task was considered in this folder yet.'
      : tableText(
          { paint, width, titles: ['WHEN', 'TASK', 'OUTCOME', 'TOOK', 'TOKENS', 'DETAILS'] },
          latest.map(({ run, times }) => runRow(run, times, now)),
        );
  const more = told.length - latest.length;
  return [
    paint('bold', 'Checks at stops'),
    ...gateLines(status.gate, page, now),
    '',
    paint('bold', 'Beside the turn'),
    tasks,
    spendLine(status.tasks),
    '',
    paint('bold', 'Latest background tasks'),
    runs,
    ...(more > 0 ? [paint('dim', `… and ${more} older ones (--json shows all)`)] : []),
    '',
    paint('bold', 'Memory'),
    ...memoryLines(status, page, now),
    '',
    paint('dim', page.block(limitsLine(status, page), 0)),
    ...status.warnings.map((warning) => paint('yellow', `! ${warning}`)),
    '',
  ].join('\n');
}

/** All of it in one line: what was spent without a turn asking for it. */
function spendLine(tasks: readonly TaskStatus[]): string {
  const tokens = tasks.reduce((sum, task) => sum + task.tokens, 0);
  const requests = tasks.reduce((sum, task) => sum + task.requests, 0);
  const usd = tasks.some(({ costUsd }) => costUsd === null)
    ? null
    : tasks.reduce((sum, t) => sum + (t.costUsd ?? 0), 0);
  return `Spent in all: ${tokensInWords(tokens)} tokens in ${requests} request${requests === 1 ? '' : 's'}, ${costInWords(usd)}.`;
}

function taskRow(task: TaskStatus): Cell[] {
  return [
    { text: taskName(task.task) },
    { text: task.on ? 'on' : 'off', style: task.on ? 'green' : 'dim' },
    { text: String(task.ran) },
    { text: String(task.skipped) },
    { text: String(task.failed), ...(task.failed > 0 ? { style: 'red' as const } : {}) },
    { text: tokensInWords(task.tokens) },
    { text: costInWords(task.costUsd) },
    { text: task.why, style: 'dim' },
  ];
}

const STYLES: Readonly<Record<BackgroundRun['outcome'], Cell['style']>> = {
  ran: 'green',
  skipped: 'dim',
  superseded: 'dim',
  cancelled: 'yellow',
  failed: 'red',
};

interface Told {
  readonly run: BackgroundRun;
  readonly times: number;
}

/** What was decided again and again in the same words (off is off, at every turn) is told once, where it was last. */
function collapsed(runs: readonly BackgroundRun[]): readonly Told[] {
  const told = new Map<string, Told>();
  for (const run of runs) {
    const key = run.outcome === 'skipped' ? `${run.task} ${run.reason}` : `${run.task} ${run.at} ${told.size}`;
    const known = told.get(key);
    told.set(key, known ? { ...known, times: known.times + 1 } : { run, times: 1 });
  }
  return [...told.values()];
}

function runRow(run: BackgroundRun, times: number, now: number): Cell[] {
  const style = STYLES[run.outcome];
  return [
    { text: ago(Date.parse(run.at), now) },
    { text: taskName(run.task) },
    { text: run.outcome, ...(style ? { style } : {}) },
    { text: run.durationMs === 0 ? '' : durationInWords(run.durationMs) },
    { text: run.tokens === 0 ? '' : tokensInWords(run.tokens) },
    { text: times === 1 ? run.reason : `${times} times: ${run.reason}` },
  ];
}

function memoryLines({ memory }: Status, page: Page, now: number): string[] {
  const folder = page.place({ file: memory.folder });
  const dreamt = memory.lastDreamAt ? ago(Date.parse(memory.lastDreamAt), now) : 'never';
  const facts = `${memory.facts} fact${memory.facts === 1 ? '' : 's'}, ${(memory.bytes / 1024).toFixed(1)} kB`;
  return [
    `${facts} in ${folder}${memory.recalled ? '' : ' (not told to sessions: memory is off)'}`,
    `Consolidated: ${dreamt}${memory.backup ? `; the files before it are in ${page.place({ file: memory.backup })}` : ''}`,
  ];
}

function limitsLine({ limits, log }: Status, page: Page): string {
  return `A run may take ${tokensInWords(limits.maxTokens)} tokens, $${limits.maxUsd} and ${limits.timeoutMs / 1000} s; an exit waits ${limits.drainMs / 1000} s. All decisions are in ${page.place({ file: log })}.`;
}

export const costInWords = (usd: number | null): string => {
  if (usd === null) return 'unknown';
  return usd === 0 ? '$0' : `$${usd.toFixed(4)}`;
};
