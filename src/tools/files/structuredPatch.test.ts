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
  ['a new file', '', 'a\n', [{ oldStart: 1, oldLines: 0, newStart: 1, newLines: 1, lines: ['+a'] }]],
  ['an emptied file', 'a\n', '', [{ oldStart: 1, oldLines: 1, newStart: 1, newLines: 0, lines: ['-a'] }]],
  ['a doubled line', 'a\n', 'a\na\n', [{ oldStart: 1, oldLines: 1, newStart: 1, newLines: 2, lines: [' a', '+a'] }]],
  [
    'a last line without a line break',
    'a\nb',
    'a\nb\n',
    [
      {
        oldStart: 1,
        oldLines: 2,
        newStart: 1,
        newLines: 2,
        lines: [' a', '-b', '\\ No newline at end of file', '+b'],
      },
    ],
  ],
  [
    'lines that begin like a diff',
    '-x\n+y\n',
    '-x\n+z\n',
    [{ oldStart: 1, oldLines: 2, newStart: 1, newLines: 2, lines: [' -x', '-+y', '++z'] }],
  ],
])('%s', (_name, before, after, patch) => {
  expect(structuredPatch(before, after)).toEqual(patch);
});

it('reports changes that are far apart as hunks of their own', () => {
  const lines = Array.from({ length: 30 }, (_, index) => `${index}\n`);
  const changed = lines.map((line, index) => (index === 3 || index === 20 ? `new ${line}` : line));
  expect(
    structuredPatch(lines.join(''), changed.join('')).map(({ oldStart, oldLines }) => [oldStart, oldLines]),
  ).toEqual([
    [1, 7],
    [18, 7],
  ]);
});

it('gives up on finding what two long texts have in common', () => {
  const long = (word: string) => Array.from({ length: 20_000 }, (_, index) => `${word}${index}\n`).join('');
  const [hunk, ...others] = structuredPatch(long('a'), long('b'));
  expect(others).toEqual([]);
  expect(hunk).toMatchObject({ oldStart: 1, oldLines: 20_000, newStart: 1, newLines: 20_000 });
  expect([hunk?.lines[0], hunk?.lines.at(-1)]).toEqual(['-a0', '+b19999']);
});
