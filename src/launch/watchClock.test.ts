import { expect, it } from 'vitest';
import { fakeClock } from '../testing/fakeClock.ts';
import { watchClock } from './watchClock.ts';

const START = Date.UTC(2026, 10, 15, 12);
const HOUR = 3_600_000;

it('reports each change of the machine clock once, with the new time of the end', async () => {
  const clock = fakeClock(START);
  const seen: [string, number][] = [];
  const printed: string[] = [];
  const watch = watchClock({
    clock,
    endAt: START + 60_000,
    record: { setEnd: (at) => seen.push([watch.notes.at(-1) ?? '', at]) },
    quiet: false,
    writer: { err: (text) => void printed.push(text) },
  });
  await clock.advance(3_000);
  clock.setWall(500);
  await clock.advance(3_000);
  expect(seen).toEqual([]);
  clock.setWall(HOUR);
  await clock.advance(5_000);
  const ends = (at: number) => new Date(at).toTimeString().slice(0, 8);
  const first = START + 60_000 + HOUR + 500;
  expect(seen).toEqual([
    [
      `the machine's clock was set forward by 1h; the time left is unchanged, the budget now ends at ${ends(first)}`,
      first,
    ],
  ]);
  clock.setWall(-2 * HOUR);
  watch.check();
  const second = first - 2 * HOUR;
  expect(seen[1]).toEqual([
    `the machine's clock was set back by 2h; the time left is unchanged, the budget now ends at ${ends(second)}`,
    second,
  ]);
  await watch[Symbol.asyncDispose]();
  expect(seen).toHaveLength(2);
  expect(printed).toEqual(watch.notes.map((note) => `stopgate: ${note}.\n`));
});
