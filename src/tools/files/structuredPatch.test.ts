import { expect, it } from 'vitest';
import { structuredPatch } from './structuredPatch.ts';

it.each([
  ['no change', 'a\n', 'a\n', []],
  [
    'a changed line with its neighbours',
    '1\n2\n3\n4\n5\n6\n7\n8\n9\n',
    '1\n2\n3\n4\nfive\n6\n7\n8\n9\n',
    [
      {
        oldStart: 2,
        oldLines: 7,
        newStart: 2,
        newLines: 7,
        lines: [' 2', ' 3', ' 4', '-5', '+five', ' 6', ' 7', ' 8'],
      },
    ],
  ],
  ['a new file', '', 'a\n', [{ oldStart: 0, oldLines: 0, newStart: 1, newLines: 1, lines: ['+a'] }]],
  ['an emptied file', 'a\n', '', [{ oldStart: 1, oldLines: 1, newStart: 0, newLines: 0, lines: ['-a'] }]],
  ['a doubled line', 'a\n', 'a\na\n', [{ oldStart: 1, oldLines: 1, newStart: 1, newLines: 2, lines: [' a', '+a'] }]],
  [
    'lines that begin like a diff',
    '-x\n+y\n',
    '-x\n+z\n',
    [{ oldStart: 1, oldLines: 2, newStart: 1, newLines: 2, lines: [' -x', '-+y', '++z'] }],
  ],
])('%s', (_name, before, after, patch) => {
  expect(structuredPatch(before, after)).toEqual(patch);
});
