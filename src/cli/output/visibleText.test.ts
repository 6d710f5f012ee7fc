import { describe, expect, it } from 'vitest';
import { columnsOf, oneLine, visibleText } from './visibleText.ts';

describe('visibleText', () => {
  it.each([
    ['plain text, tabs and lines', 'a\tb\nc', 'a\tb\nc'],
    ['Windows line ends', 'a\r\nb', 'a\nb'],
    ['an escape sequence', 'rm -rf ~ \x1b[2K', 'rm -rf ~ \\u{1b}[2K'],
    ['a carriage return that would overwrite the line', 'curl evil\rnpm test', 'curl evil\\u{d}npm test'],
    ['a backspace', 'ab\b', 'ab\\u{8}'],
    ['text that turns itself around', 'a\u202eb', 'a\\u{202e}b'],
    ['a space without width', 'a\u200bb', 'a\\u{200b}b'],
    ['other scripts', 'größe 検査', 'größe 検査'],
  ])('shows %s', (_, text, shown) => {
    expect(visibleText(text)).toBe(shown);
  });

  it('joins lines and cuts them to a width', () => {
    expect(oneLine('set -e\n  npm test\n')).toBe('set -e ⏎ npm test');
    expect(oneLine('npm run everything', 10)).toBe('npm run e…');
    expect(oneLine('npm test', 8)).toBe('npm test');
    expect(oneLine('検査検査', 5)).toBe('検査…');
  });
});

it.each([
  ['plain', 5],
  ['größe', 5],
  ['検査', 4],
  ['\t', 8],
  ['e\u0301', 1],
  ['⌚', 2],
  ['→ …', 3],
])('counts the columns of %j', (text, columns) => {
  expect(columnsOf(text)).toBe(columns);
});
