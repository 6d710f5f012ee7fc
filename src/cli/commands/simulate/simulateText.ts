import type { SimulationResult } from '../../../fleet/simulate/simulation.ts';
import type { SpreadSummary } from '../../../fleet/simulate/spread.ts';
import { formatDuration } from '../../../system/formatDuration.ts';
import type { Paint } from '../../output/colors.ts';
import { wrapped } from '../../output/page.ts';
import { timelineChart } from './chart.ts';

export interface TextLayout {
  readonly paint: Paint;
  readonly columns: number;
  readonly costPerHour: number | null;
}

const INDENT = 12;

/** The results of one simulation, and its timeline. */
export function simulateText(result: SimulationResult, { paint, columns, costPerHour }: TextLayout): string {
  const rows = rowsOf(result, costPerHour).map(([name, text]) => {
    const lines = wrapped(text, columns - INDENT).map((line) => line.trimEnd().replaceAll(TIED, ' '));
    return `${paint('bold', name.padEnd(INDENT))}${lines.join(`\n${' '.repeat(INDENT)}`)}`;
  });
  return [...rows, '', ...timelineChart(result.timeline, paint, columns), ''].join('\n');
}

function rowsOf(result: SimulationResult, costPerHour: number | null): readonly (readonly [string, string])[] {
  const { tasks, done, dead, attempts, failures, crashes, rateLimited } = result;
  const bad = `${amountText(failures)} failed, ${amountText(crashes)} crashed, ${amountText(rateLimited)} rate-limited`;
  const hours = `${amountText(result.busyHours)} busy, ${amountText(result.idleHours)} idle, ${amountText(result.startingHours)} starting`;
  return [
    ['Waiting', spreadText(result.waiting)],
    ['To done', spreadText(result.finishing)],
    ['Tasks', `${amountText(done)} of ${amountText(tasks)} done, ${amountText(dead)} dead`],
    ['Attempts', `${amountText(attempts)} (${bad})`],
    [
      'Workers',
      `${amountText(result.mostLive)} at most, ${amountText(result.starts)} starts, ${amountText(result.replacements)} of them replacements, ${amountText(result.idleStops)} stopped when idle`,
    ],
    ['Hours', `${hours}; ${percentText(result.utilisation)} used`],
    ...(costPerHour === null ? [] : [['Cost', costText(result, costPerHour)] as const]),
    ['Throughput', `${amountText(result.donePerHour)} done per hour, over ${formatDuration(result.endMs)}`],
  ];
}

function costText(result: SimulationResult, costPerHour: number): string {
  const { totalUsd, idleUsd } = costOf(result, costPerHour);
  return `${moneyText(totalUsd)}, of which ${moneyText(idleUsd)} for idle time`;
}

function spreadText({ meanMs, p50Ms, p95Ms, p99Ms, maxMs }: SpreadSummary): string {
  const parts = { mean: meanMs, p50: p50Ms, p95: p95Ms, p99: p99Ms, max: maxMs };
  return Object.entries(parts)
    .map(([name, ms]) => `${name}${TIED}${formatDuration(ms)}`)
    .join('   ');
}

/** A no-break space: lines are not broken there. */
const TIED = '\u00a0';

export const amountText = (value: number) =>
  value.toLocaleString('en-US', { maximumFractionDigits: value < 100 ? 1 : 0 });

export const moneyText = (value: number) =>
  `$${value.toLocaleString('en-US', { minimumFractionDigits: 2, maximumFractionDigits: 2 })}`;

export const percentText = (share: number) => `${(share * 100).toFixed(1).replace(/\.0$/, '')}%`;

type Hours = Pick<SimulationResult, 'busyHours' | 'idleHours' | 'startingHours'>;

/** Workers cost the same whether they are busy or idle. */
export function costOf({ busyHours, idleHours, startingHours }: Hours, costPerHour: number) {
  return { totalUsd: (busyHours + idleHours + startingHours) * costPerHour, idleUsd: idleHours * costPerHour };
}
