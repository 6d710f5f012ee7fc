import { readFileSync } from 'node:fs';
import type { Arrivals } from '../../../fleet/simulate/scenario.ts';
import { UserError } from '../../../system/userError.ts';

const MOST_LINES = 5_000_000;

/** One moment a line: ISO times, counted from the first of them, or seconds from the start. */
export function readArrivalTimes(file: string): Extract<Arrivals, { type: 'times' }> {
  const lines = read(file).split('\n');
  if (lines.length > MOST_LINES) throw new UserError(`${file} has more than 5 million lines; take a part of it.`);
  const moments = lines.flatMap((line, index) =>
    line.trim() === '' ? [] : [momentOf(line.trim(), `${file}:${index + 1}`)],
  );
  if (moments.length === 0) throw new UserError(`${file} has no moments in it; write one a line.`);
  const times = Float64Array.from(moments, ({ ms }) => ms).sort();
  // seconds count from the start, calendar times from the first of them
  const first = moments.some(({ isCalendar }) => isCalendar) ? (times[0] ?? 0) : 0;
  return { type: 'times', times: times.map((ms) => ms - first) };
}

function read(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    const missing = (error as NodeJS.ErrnoException).code === 'ENOENT';
    const why = missing ? 'is neither a pattern nor a file' : `cannot be read (${(error as Error).message})`;
    throw new UserError(
      `--arrivals ${file} ${why}; write poisson:10/h, every:5m, burst:200, daily:200 or a file of moments.`,
    );
  }
}

function momentOf(text: string, where: string): { readonly ms: number; readonly isCalendar: boolean } {
  const isCalendar = !/^\d+(\.\d+)?$/.test(text);
  const ms = isCalendar ? Date.parse(text) : Number(text) * 1000;
  if (Number.isNaN(ms))
    throw new UserError(`${where}: "${text.slice(0, 40)}" is no moment; write 2026-01-31T09:00:00Z or seconds.`);
  return { ms, isCalendar };
}
