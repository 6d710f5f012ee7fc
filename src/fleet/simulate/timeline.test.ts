import { expect, it } from 'vitest';
import { Timeline } from './timeline.ts';

const sum = (timeline: Timeline) =>
  timeline.points().reduce((total, { fromMs, toMs, busy }) => total + busy * (toMs - fromMs), 0);

it.each([1, 999, 1_000, 480_000, 480_001, 31_536_000_000])('loses nothing over %i ms', (length) => {
  const timeline = new Timeline();
  timeline.add(length / 2, { ready: 5, busy: 2, idle: 1, starting: 1 });
  timeline.add(length, { ready: 0, busy: 4, idle: 0, starting: 0 });
  expect(sum(timeline)).toBeCloseTo(3 * length, 3);
  const points = timeline.points();
  expect(points.length).toBeLessThanOrEqual(480);
  expect(points.at(-1)?.toMs).toBe(length);
  expect(points[0]).toMatchObject({ fromMs: 0, longestQueue: 5 });
});
