import { taskName } from '../../background/taskName.ts';
import type { BackgroundRun } from '../../schemas/backgroundRuns.ts';
import type { Page } from '../hooks/page.ts';
import { durationInWords, tokensInWords } from '../output/durations.ts';
import { ago } from './ago.ts';
import type { Status, TaskStatus } from './gatherStatus.ts';
import { type Cell, tableText } from './table.ts';

const SHOWN_RUNS = 10;

/** The page of `stopgate status`: what may run, what it took, and what the latest decisions were. */
export function statusText(status: Status, page: Page, now: number): string {
  const { paint, width } = page;
  const tasks = tableText(
    { paint, width, titles: ['TASK', 'NOW', 'RAN', 'SKIPPED', 'FAILED', 'TOKENS', 'COST', 'WHY'] },
    status.tasks.map(taskRow),
  );
  const latest = status.runs.slice(0, SHOWN_RUNS);
  const runs =
    latest.length === 0
      ? 'Nothing was decided in this folder yet.'
      : tableText(
          { paint, width, titles: ['WHEN', 'TASK', 'OUTCOME', 'TOOK', 'TOKENS', 'WHAT, OR WHY NOT'] },
          latest.map((run) => runRow(run, now)),
        );
  const more = status.runs.length - latest.length;
  return [
    paint('bold', 'Beside the turn'),
    tasks,
    '',
    paint('bold', 'Latest decisions'),
    runs,
    ...(more > 0 ? [paint('dim', `… and ${more} older ones (--json shows all)`)] : []),
    '',
    paint('bold', 'Memory'),
    ...memoryLines(status, page, now),
    '',
    paint('dim', limitsLine(status)),
    ...status.warnings.map((warning) => paint('yellow', `! ${warning}`)),
    '',
  ].join('\n');
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

function runRow(run: BackgroundRun, now: number): Cell[] {
  const style = STYLES[run.outcome];
  return [
    { text: ago(Date.parse(run.at), now) },
    { text: taskName(run.task) },
    { text: run.outcome, ...(style ? { style } : {}) },
    { text: run.durationMs === 0 ? '' : durationInWords(run.durationMs) },
    { text: run.tokens === 0 ? '' : tokensInWords(run.tokens) },
    { text: run.reason },
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

function limitsLine({ limits, log }: Status): string {
  return `A run may take ${tokensInWords(limits.maxTokens)} tokens, $${limits.maxUsd} and ${limits.timeoutMs / 1000} s; an exit waits ${limits.drainMs / 1000} s. All decisions: ${log}`;
}

export const costInWords = (usd: number | null): string => {
  if (usd === null) return 'unknown';
  return usd === 0 ? '$0' : `$${usd.toFixed(4)}`;
};
