import { describe, expect, it } from 'vitest';
import { boundText, boundTogether } from './boundText.ts';

describe('boundText', () => {
  it('leaves a text that fits', () => {
    expect(boundText('abcd', 4)).toEqual({ text: 'abcd', cutCharacters: 0 });
  });

  it('keeps both ends and counts the middle', () => {
    expect(boundText('abcdefgh', 5)).toEqual({
      text: 'abc\n[… some output was left out …]\ngh',
      cutCharacters: 3,
    });
  });

  it('never leaves half a character', () => {
    for (let limit = 1; limit < 20; limit++) expect(boundText('😀'.repeat(20), limit).text.isWellFormed()).toBe(true);
  });
});

describe('boundTogether', () => {
  it.each([
    ['both fit', 3, 3, 0, 0],
    ['the first is long', 20, 2, 12, 0],
    ['the second is long', 2, 20, 0, 12],
    ['both are long', 20, 20, 15, 15],
  ])('%s', (_name, first, second, firstCut, secondCut) => {
    const [one, two] = boundTogether('a'.repeat(first), 'b'.repeat(second), 10);
    expect([one.cutCharacters, two.cutCharacters]).toEqual([firstCut, secondCut]);
  });
});
