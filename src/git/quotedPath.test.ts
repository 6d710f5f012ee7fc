import { describe, expect, it } from 'vitest';
import { pathBytes, quotePath, shownPath } from './quotedPath.ts';

describe('a path as git quotes it', () => {
  it.each([
    ['plain name', 'plain name', 'plain name'],
    ['"\\303\\274"', 'ü', 'ü'],
    ['"a\\nb"', 'a\nb', '"a\\nb"'],
    ['"q\\"\\\\\\t"', 'q"\\\t', '"q\\"\\\\\\t"'],
    ['"say \\"x\\""', 'say "x"', 'say "x"'],
  ])('%s', (quoted, text, shown) => {
    expect(pathBytes(quoted).toString('utf8')).toBe(text);
    expect(shownPath(quoted)).toBe(shown);
    expect(quotePath(pathBytes(quoted))).toBe(quoted);
  });

  it('has every byte it had on disk', () => {
    expect([...pathBytes('"b\\377\\376"')]).toEqual([98, 255, 254]);
    expect(shownPath('"b\\377\\376"')).toBe('"b\\377\\376"');
    expect(shownPath('"\\033[31m"')).toBe('"\\033[31m"');
  });
});
