import type { TimelinePoint } from '../../../fleet/simulate/timeline.ts';
import { formatDuration } from '../../../system/formatDuration.ts';
import type { Paint } from '../../output/colors.ts';
import { type ChartLayout, chartLines } from './chart.ts';

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
function columnsOf(points: readonly TimelinePoint[], width: number): readonly TimelinePoint[] {
  const endMs = points.at(-1)?.toMs ?? 0;
  if (endMs === 0) return [];
  return Array.from({ length: width }, (_unused, column) => {
    const [fromMs, toMs] = [(column * endMs) / width, ((column + 1) * endMs) / width];
    const parts = points.filter((point) => point.fromMs < toMs && point.toMs > fromMs);
    const mean = (of: (point: TimelinePoint) => number) =>
      parts.reduce((sum, point) => sum + of(point) * (Math.min(toMs, point.toMs) - Math.max(fromMs, point.fromMs)), 0) /
      (toMs - fromMs);
    const longestQueue = Math.max(0, ...parts.map((part) => part.longestQueue));
    return {
      fromMs,
      toMs,
      longestQueue,
      queue: mean(({ queue }) => queue),
      busy: mean(({ busy }) => busy),
      live: mean(({ live }) => live),
    };
  });
}
