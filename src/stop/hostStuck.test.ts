import { expect, it } from 'vitest';
import { isStuck, nextMark, type SeenMark } from './hostStuck.ts';

it.each<[string, readonly string[], readonly boolean[]]>([
  ['goes on while its session grows', ['1', '2', '3'], [false, false, false]],
  ['may repeat one stop', ['1', '1', '2', '2'], [false, false, false, false]],
  ['is stuck at the second repetition', ['1', '1', '1', '1'], [false, false, true, true]],
  ['is free again once it grows', ['1', '1', '1', '2'], [false, false, true, false]],
])('%s', (_name, marks, stuck) => {
  let seen: SeenMark | null = null;
  const found = marks.map((mark) => {
    seen = nextMark(seen, mark);
    return isStuck(seen);
  });
  expect(found).toEqual(stuck);
});
