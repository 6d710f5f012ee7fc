import { describe, expect, it } from 'vitest';
import { pageFor } from './page.ts';
import { tableOrList, tableText } from './table.ts';

const plain = (_style: unknown, text: string) => text;
const rows = [
  [{ text: 'one' }, { text: 'a long description of it' }],
  [{ text: 'the other' }, { text: 'short' }],
];

describe('tableText', () => {
  it('aligns columns and cuts nothing in a pipe', () => {
    const text = tableText({ paint: plain, width: Number.POSITIVE_INFINITY, titles: ['NAME', 'WHAT'] }, rows);
    expect(text).toBe('NAME       WHAT\none        a long description of it\nthe other  short');
  });

  it('cuts the last column to the width of a terminal', () => {
    const text = tableText({ paint: plain, width: 26, titles: ['NAME', 'WHAT'] }, rows);
    expect(text.split('\n')[1]).toBe('one        a long descrip…');
  });

  it('counts wide characters, and makes control characters visible', () => {
    const wide = [[{ text: '漢字' }, { text: 'x\u001b[2J\ny' }]];
    const text = tableText({ paint: plain, width: 80, titles: ['N', 'W'] }, wide);
    expect(text).toBe('N     W\n漢字  x\\u{1b}[2J ⏎ y');
  });
});

describe('tableOrList', () => {
  const at = (columns: number) =>
    tableOrList(
      pageFor({ outIsTerminal: true, columns }, { cwd: '/', homeDir: '/h', env: { NO_COLOR: '1' } }),
      ['NAME', 'NOW', 'WHAT'],
      [
        [{ text: 'one' }, { text: '' }, { text: 'a long description of it that does not fit' }],
        [{ text: 'two' }, { text: 'on' }, { text: 'short' }],
      ],
    );

  it('is a list on a narrow terminal, without what is empty', () => {
    expect(at(40)).toBe('one\n  what: a long description of it that\n  does not fit\ntwo\n  now: on\n  what: short');
  });

  it('is a table elsewhere', () => {
    expect(at(80).split('\n')[0]).toBe('NAME  NOW  WHAT');
  });
});
