import { expect, it } from 'vitest';
import { deadGroups, deadText } from './deadGroups.ts';

const dead = (id: string, lastError: string | null) => ({ id, lastError });

it('groups by the first line without its numbers, the largest group first', () => {
  const groups = deadGroups([
    dead('a', 'it exited with code 1\nTypeError'),
    dead('b', 'Its budget is used up: $2.10 of $2.00, over all attempts.\nx'),
    dead('c', null),
    dead('d', 'Its budget is used up: $3.00 of $2.50, over all attempts.'),
  ]);
  expect(groups.map(({ reason, ids }) => [reason, ids])).toEqual([
    ['Its budget is used up: $N of $N, over all attempts.', ['b', 'd']],
    ['it exited with code N', ['a']],
    ['no reason is known', ['c']],
  ]);
  expect(deadText(groups)).toContain('    2  Its budget is used up: $N of $N, over all attempts.\n       b, d\n');
  expect(deadText([])).toBe('No task is dead.\n');
});
