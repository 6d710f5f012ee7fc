import { expect, it } from 'vitest';
import { LineSplitter } from './lineSplitter.ts';

const linesOf = (...pieces: string[]) => {
  const lines: string[] = [];
  const splitter = new LineSplitter((line) => lines.push(line));
  for (const piece of pieces) splitter.push(piece);
  splitter.end();
  return lines;
};

it('splits text that arrives in pieces', () => {
  expect(linesOf('a\nb', 'c\n\nd', '\n', 'e')).toEqual(['a', 'bc', '', 'd', 'e']);
  expect(linesOf('a\n', '')).toEqual(['a']);
});

it('keeps the beginning of an endless line, and what comes after it', () => {
  const piece = 'x'.repeat(1024 * 1024);
  const [long = '', ...others] = linesOf('a', ...Array(40).fill(piece), '\nnext\n');
  expect([long.slice(0, 2), long.length, others]).toEqual(['ax', 16 * 1024 * 1024, ['next']]);
});
