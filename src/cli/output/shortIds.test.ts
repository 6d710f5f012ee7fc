import { expect, it } from 'vitest';
import { shortIds } from './shortIds.ts';

it.each<[string, readonly string[], readonly string[]]>([
  ['cut to eight', ['0123456789', 'abcdefghij'], ['01234567', 'abcdefgh']],
  ['shorter ones stay', ['s1', 's2'], ['s1', 's2']],
  [
    'longer where eight are ambiguous',
    ['0123456789', '0123456abc', '012345678x'],
    ['0123456789', '0123456a', '012345678x'],
  ],
  ['a launch with all of its own id', ['launch-01234567', 'launch-0123abcd'], ['launch-01234567', 'launch-0123abcd']],
  [
    'records of tasks with the start of its id',
    ['verify-k0dnwwdk6st7kdxd-1', 'task-k0dnwwdk6st7kdxd-1', 'completions of box-w1 1'],
    ['verify-k0dnwwdk', 'task-k0dnwwdk', 'completions of box-w1 1'],
  ],
  ['the start of another', ['01234567', '0123456789'], ['01234567', '012345678']],
  ['the same twice', ['0123456789', '0123456789'], ['01234567', '01234567']],
])('%s', (_name, ids, expected) => {
  const short = shortIds(ids);
  expect(ids.map(short)).toEqual(expected);
});
