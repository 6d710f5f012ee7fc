import type { SimulationResult } from '../../../fleet/simulate/simulation.ts';
import { formatDuration } from '../../../system/formatDuration.ts';
import { tableText } from '../../output/table.ts';
import type { Comparison } from './alternatives.ts';
import { amountText, costOf, moneyText, percentText, type TextLayout } from './simulateText.ts';

interface Column {
  readonly title: string;
  readonly text: (result: SimulationResult, costPerHour: number) => string;
  /** Columns with the highest value are dropped first; 0 never. */
  readonly spare: number;
  readonly isCost?: boolean;
}

const COLUMNS: readonly Column[] = [
  { title: 'WAIT', text: ({ waiting }) => formatDuration(waiting.meanMs), spare: 0 },
  { title: 'P50', text: ({ waiting }) => formatDuration(waiting.p50Ms), spare: 6 },
  { title: 'P95', text: ({ waiting }) => formatDuration(waiting.p95Ms), spare: 0 },
  { title: 'P99', text: ({ waiting }) => formatDuration(waiting.p99Ms), spare: 2 },
  { title: 'MAX', text: ({ waiting }) => formatDuration(waiting.maxMs), spare: 3 },
  { title: 'IDLE H', text: ({ idleHours }) => amountText(idleHours), spare: 0 },
  { title: 'USED', text: ({ utilisation }) => percentText(utilisation), spare: 1 },
  { title: 'STARTS', text: ({ starts }) => amountText(starts), spare: 4 },
  { title: 'REPLACED', text: ({ replacements }) => amountText(replacements), spare: 5 },
  { title: 'DEAD', text: ({ dead }) => amountText(dead), spare: 2 },
  { title: 'DONE/H', text: ({ donePerHour }) => amountText(donePerHour), spare: 6 },
  { title: 'IDLE COST', text: (result, cost) => moneyText(costOf(result, cost).idleUsd), spare: 0, isCost: true },
  { title: 'COST', text: (result, cost) => moneyText(costOf(result, cost).totalUsd), spare: 0, isCost: true },
];

const GAP = 2;

/** One row per alternative. */
export function comparisonText(
  comparison: Comparison,
  results: readonly SimulationResult[],
  { paint, columns: width, costPerHour }: TextLayout,
): string {
  const cost = costPerHour ?? 0;
  const name = (comparison.name ?? '').toUpperCase();
  const values = comparison.alternatives.map(({ value }) => value);
  const first = Math.max(name.length, ...values.map(({ length }) => length));
  const known = COLUMNS.filter(({ isCost }) => costPerHour !== null || !isCost);
  const widthOf = (column: Column) =>
    GAP + Math.max(column.title.length, ...results.map((result) => column.text(result, cost).length));
  const shown = fitting(known, width - first, widthOf);
  const rows = results.map((result, index) => [
    { text: values[index] ?? '', style: 'cyan' as const },
    ...shown.map((column) => ({ text: column.text(result, cost) })),
  ]);
  const titles = [name, ...shown.map(({ title }) => title)];
  const left = known.filter((column) => !shown.includes(column)).map(({ title }) => title);
  const note = left.length === 0 ? '' : `${paint('dim', `No room for ${left.join(', ')} (--json shows all)`)}\n`;
  return `${tableText({ paint, width: Math.max(width, 40), titles }, rows)}\n${note}`;
}

/** Drops columns until the others fit. */
function fitting(columns: readonly Column[], room: number, widthOf: (column: Column) => number): readonly Column[] {
  const needed = columns.reduce((sum, column) => sum + widthOf(column), 0);
  const most = columns.reduce((one, other) => (other.spare > one.spare ? other : one));
  if (needed <= room || most.spare === 0) return columns;
  return fitting(
    columns.filter((column) => column !== most),
    room,
    widthOf,
  );
}
