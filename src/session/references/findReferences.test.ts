import { expect, it } from 'vitest';
import { findReferences } from './findReferences.ts';

it.each([
  ['Look at @notes.txt', [['@notes.txt', 'notes.txt']]],
  [
    '@a.txt, (@b.txt) and @c.txt.',
    [
      ['@a.txt', 'a.txt'],
      ['@c.txt', 'c.txt'],
    ],
  ],
  ['@"with space.txt" twice @"with space.txt"', [['@"with space.txt"', 'with space.txt']]],
  [
    'the folder @src/ and\n@~/x and @../y',
    [
      ['@src/', 'src/'],
      ['@~/x', '~/x'],
      ['@../y', '../y'],
    ],
  ],
  [
    '@n.txt#L2-9 @n.txt#L4 @n.txt',
    [
      ['@n.txt#L2-9', 'n.txt', 2, 9],
      ['@n.txt#L4', 'n.txt', 4, 4],
      ['@n.txt', 'n.txt'],
    ],
  ],
  ['me@example.com, @ alone, @.', []],
  ['@a#heading', [['@a#heading', 'a#heading']]],
])('%j', (text, expected) => {
  expect(findReferences(text).map(({ written, path, from, to }) => [written, path, from, to])).toEqual(
    expected.map(([written, path, from, to]) => [written, path, from, to]),
  );
});
