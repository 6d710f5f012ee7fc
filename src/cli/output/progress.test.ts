import { expect, it } from 'vitest';
import { progressLine, progressOn } from './progress.ts';

it.each([
  [['moving', 0, 200], 'moving ░░░░░░░░░░░░░░░░░░░░░░░░ 0% of 200'],
  [['moving', 100, 200], 'moving ████████████░░░░░░░░░░░░ 50% of 200'],
  [['moving', 200, 200], 'moving ████████████████████████ 100% of 200'],
  [['moving', 0, 0], 'moving ████████████████████████ 100% of 0'],
  [['simulating', 0.5, 1], 'simulating ████████████░░░░░░░░░░░░ 50%'],
  [['reading bytes', 12_345], 'reading bytes 12,345'],
] as const)('formats %j', ([label, done, total], line) => {
  expect(progressLine(label, done, total)).toBe(line);
});

it('limits repaints, except for a new label and the end', () => {
  const painted: string[] = [];
  let now = 1_000;
  const writer = { err: (text: string) => void painted.push(text), errIsTerminal: true, columns: 80 };
  const progress = progressOn(writer, () => now);
  progress.show('a', 1, 3);
  progress.show('a', 2, 3);
  progress.show('b', 1, 3);
  now += 100;
  progress.show('b', 2, 3);
  progress.show('b', 3, 3);
  expect(painted).toHaveLength(4);
});
