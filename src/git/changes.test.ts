import { describe, expect, it } from 'vitest';
import { readChange } from './changes.ts';

const [A, B] = ['a'.repeat(40), 'b'.repeat(40)];

describe('a line of git status', () => {
  it.each([
    ['? new file.txt', { type: 'untracked', path: 'new file.txt' }],
    ['? "a\\nb"', { type: 'untracked', path: '"a\\nb"' }],
    ['? inner/', { type: 'repository', path: 'inner' }],
    ['? "in\\"ner/"', { type: 'repository', path: '"in\\"ner"' }],
    [
      `1 .M N... 100644 100644 100755 ${A} ${A} a b.txt`,
      { type: 'tracked', path: 'a b.txt', inHead: { mode: '100644', object: A } },
    ],
    [`1 A. N... 000000 100644 100644 ${A} ${B} x`, { type: 'tracked', path: 'x', inHead: undefined }],
    [`1 .D N... 100644 100644 000000 ${A} ${A} x`, { type: 'deleted', path: 'x' }],
    [`1 .M SCMU 160000 160000 160000 ${A} ${A} s`, { type: 'submodule', path: 's', isDirty: true, isMoved: true }],
    [`1 .M S..U 160000 160000 160000 ${A} ${A} s`, { type: 'submodule', path: 's', isDirty: true, isMoved: false }],
    [`u UU N... 100644 100644 100644 100644 ${A} ${B} ${A} a b`, { type: 'tracked', path: 'a b', inHead: undefined }],
    [`u DU N... 100644 000000 100644 000000 ${A} ${B} ${A} x`, { type: 'deleted', path: 'x' }],
    ['# branch.oid 1234', undefined],
    ['! ignored', undefined],
    ['', undefined],
  ])('%s', (line, change) => {
    expect(readChange(line)).toEqual(change);
  });
});
