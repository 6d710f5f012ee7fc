import { expect, it } from 'vitest';
import { shellWords } from './shellWords.ts';

it.each([
  ['a b  c', ['a', 'b', 'c']],
  [`a "b c" 'd "e'`, ['a', 'b c', 'd "e']],
  [`"/x y/z" --a="b c"`, ['/x y/z', '--a=b c']],
  ['a\\ b "c\\"d"', ['a b', 'c"d']],
  [`"a"b 'c "d' e`, ['ab', 'c "d', 'e']],
  ['""', ['']],
  ['', []],
  ["it's fine", ["it's fine"]],
  ['"un closed', ['"un closed']],
  [`'a\\'b' c`, ["a\\b' c"]],
  ['a\\', ['a\\']],
])('words of %s', (line, words) => {
  expect(shellWords(line)).toEqual(words);
});

it('reads a long line with an open quote in no time', () => {
  expect(shellWords(`'${'"\\'.repeat(50_000)}`)).toHaveLength(1);
  expect(shellWords('"a" '.repeat(50_000))).toHaveLength(50_000);
});
