import type { TimelinePoint } from '../../../fleet/simulate/timeline.ts';
import { formatDuration } from '../../../system/formatDuration.ts';
import type { Paint } from '../../output/colors.ts';

const EIGHTHS = [' ', '▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'];
const BEHIND = '░';

interface ChartSeries {
  /** Drawn as full blocks. */
  readonly values: readonly number[];
  /** Shade behind the blocks, never lower. */
  readonly behind?: readonly number[];
  readonly style: Parameters<Paint>[0];
}

interface ChartLayout {
  readonly paint: Paint;
  readonly height: number;
  readonly labelWidth: number;
}

/** Columns of blocks under a title, eight steps per line. */
export function chartLines(
  title: string,
  series: ChartSeries,
  { paint, height, labelWidth }: ChartLayout,
): readonly string[] {
  const { values, behind = [], style } = series;
  const top = Math.max(1, ...values, ...behind);
  const lines = Array.from({ length: height }, (_unused, index) => {
    const line = height - 1 - index;
    const label = index === 0 ? shortNumber(top) : index === height - 1 ? '0' : '';
    const cells = values.map((value, column) =>
      cellFor(eighths(value, top, height), eighths(behind[column] ?? 0, top, height), line),
    );
    return `${label.padStart(labelWidth)} ${paint('dim', '│')}${painted(cells, paint, style)}`;
  });
  return [title, ...lines.map((line) => line.trimEnd())];
}

/** The height of a value in eighths of a line; at least one, unless it is zero. */
const eighths = (value: number, top: number, height: number) =>
  value <= 0 ? 0 : Math.max(1, Math.round((value / top) * height * 8));

function cellFor(front: number, back: number, line: number) {
  const inFront = Math.min(8, Math.max(0, front - line * 8));
  if (inFront === 0 && back - line * 8 >= 4) return { text: BEHIND, isBehind: true };
  return { text: EIGHTHS[inFront] ?? ' ', isBehind: false };
}

/** Painted in runs: fewer escapes per line. */
function painted(cells: readonly ReturnType<typeof cellFor>[], paint: Paint, style: ChartSeries['style']): string {
  const runs: { text: string; isBehind: boolean }[] = [];
  for (const { text, isBehind } of cells) {
    const last = runs.at(-1);
    if (last && last.isBehind === isBehind) last.text += text;
    else runs.push({ text, isBehind });
  }
  return runs.map(({ text, isBehind }) => paint(isBehind ? 'dim' : style, text)).join('');
}

/** `0.4`, `12`, `3.4k`. */
export function shortNumber(value: number): string {
  if (value >= 10_000) return `${(value / 1000).toFixed(0)}k`;
  if (value >= 1_000) return `${(value / 1000).toFixed(1)}k`;
  return Number.isInteger(value) || value >= 10 ? String(Math.round(value)) : value.toFixed(1);
}

const LABEL_WIDTH = 5;
const HEIGHT = 4;
const WIDEST = 120;
const NARROWEST = 20;

/** The queue and the workers over time. */
export function timelineChart(points: readonly TimelinePoint[], paint: Paint, columns: number): readonly string[] {
  const width = Math.max(NARROWEST, Math.min(WIDEST, columns - LABEL_WIDTH - 3));
  const shown = columnsOf(points, width);
  const layout: ChartLayout = { paint, height: HEIGHT, labelWidth: LABEL_WIDTH };
  const queue = { values: shown.map(({ longestQueue }) => longestQueue), style: 'yellow' } as const;
  const workers = {
    values: shown.map(({ busy }) => busy),
    behind: shown.map(({ live }) => live),
    style: 'green',
  } as const;
  return [
    ...chartLines(`${paint('bold', 'Waiting tasks')}, maximum`, queue, layout),
    ...chartLines(`${paint('bold', 'Workers')}: █ busy ░ idle or starting`, workers, layout),
    axis(points.at(-1)?.toMs ?? 0, shown.length, paint),
  ];
}

function axis(endMs: number, width: number, paint: Paint): string {
  const end = formatDuration(endMs);
  const line = `└${'─'.repeat(width)}`;
  return `${' '.repeat(LABEL_WIDTH + 1)}${paint('dim', line)}\n${' '.repeat(LABEL_WIDTH + 1)}0${end.padStart(width)}`;
}

/** Resampled to a number of columns: means, and the longest queue. */
function columnsOf(points: readonly TimelinePoint[], width: number) {
  const endMs = points.at(-1)?.toMs ?? 0;
  if (endMs === 0) return [];
  return Array.from({ length: width }, (_unused, column) => {
    const [fromMs, toMs] = [(column * endMs) / width, ((column + 1) * endMs) / width];
    const parts = points.filter((point) => point.fromMs < toMs && point.toMs > fromMs);
    const mean = (of: (point: TimelinePoint) => number) =>
      parts.reduce((sum, point) => sum + of(point) * (Math.min(toMs, point.toMs) - Math.max(fromMs, point.fromMs)), 0) /
      (toMs - fromMs);
    const longestQueue = Math.max(0, ...parts.map((part) => part.longestQueue));
    return { longestQueue, busy: mean(({ busy }) => busy), live: mean(({ live }) => live) };
  });
}
