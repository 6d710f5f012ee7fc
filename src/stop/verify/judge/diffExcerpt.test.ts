import { describe, expect, it } from 'vitest';
import { type DiffLimits, diffExcerpt } from './diffExcerpt.ts';

const excerptOf = (text: string, limits?: DiffLimits) => {
  const excerpt = diffExcerpt(limits);
  for (const line of text.split('\n')) excerpt.line(line);
  return excerpt.end();
};
const file = (name: string, ...lines: string[]) =>
  [`diff --git a/${name} b/${name}`, '--- a', '+++ b', '@@ -1 +1 @@', ...lines].join('\n');
const limits: DiffLimits = { characters: 400, charactersOfFile: 200, charactersOfLine: 50 };

describe('diffExcerpt', () => {
  it('keeps a small diff as it is', () => {
    const text = `${file('a', '+one')}\n${file('b', '-two')}`;
    expect(excerptOf(text)).toEqual({ text, cut: [], files: 2 });
  });

  it('names a file that is too long, with how much is shown, and still shows the next one', () => {
    const { text, cut } = excerptOf(`${file('long', ...Array(50).fill('+xxxxxxxxx'))}\n${file('b', '+two')}`, limits);
    expect(cut).toEqual([expect.stringMatching(/^long \(all but the first \d+ of 54 lines\)$/)]);
    expect(text).toContain('+two');
    expect(text.length).toBeLessThan(400);
  });

  it('divides the room, so that large files at the beginning hide nothing', () => {
    const large = Array.from({ length: 4 }, (_, at) => file(`a${at}`, ...Array(50).fill('+xxxxxxxxx')));
    const { text, cut } = excerptOf([...large, file('z', '+the change')].join('\n'), limits);
    expect(text).toContain('+the change');
    expect(cut.map((one) => one.slice(0, 2))).toEqual(['a0', 'a1', 'a2', 'a3']);
    expect(text.length).toBeLessThanOrEqual(400);
  });

  it('names every file that found no room', () => {
    const small = Array.from({ length: 200 }, (_, at) => file(`f${at}`, '+yyyyyyyyyyyyyyyyyyyyyyyyyyyyyyy'));
    const { cut } = excerptOf(small.join('\n'), limits);
    expect([cut.length, cut.at(-1)]).toEqual([200, 'f199 (all 5 lines)']);
  });

  it('names a binary file instead of showing it', () => {
    const { text, cut } = excerptOf(`${file('x.png', '+a\0b', '+more')}\n${file('b', '+two')}`);
    expect(cut).toEqual(['x.png (binary)']);
    expect(text).toBe(file('b', '+two'));
  });

  it('shows a text with a NUL in it', () => {
    const lines = Array.from({ length: 9 }, (_, at) => `+code ${at}`);
    const { text, cut } = excerptOf(file('gate.js', '+// \0\0', ...lines));
    expect(cut).toEqual([]);
    expect(text).toContain('+// \u{FFFD}\n+code 0\n');
    const many = [...Array(300).fill('+code'), ...Array(300).fill('+\0')];
    expect(excerptOf(file('x', ...many)).cut).toEqual(['x (binary)']);
  });

  it('cuts a long line, and a list of thousands of names', () => {
    expect(excerptOf(file('min.js', `+${'z'.repeat(9_000)}`)).text).toMatch(/z… \(9001 characters\)$/);
    const names = Array.from({ length: 5_000 }, (_, at) => file(`f${at}`, '+\0'));
    const { cut } = excerptOf(names.join('\n'));
    expect([cut.length, cut.at(-1)]).toEqual([201, '4800 more files']);
  });

  it('takes only headers of git for the beginning of a file', () => {
    expect(excerptOf(file('a', '+diff --git a/x b/x', ' diff --git a/y b/y')).files).toBe(1);
  });
});
