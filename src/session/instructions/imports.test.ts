import { expect, it } from 'vitest';
import { findImports, whyNotImported } from './imports.ts';

it.each([
  ['/p/a.md', ['/p'], 1, 'not approved', 'load'],
  ['/p2/a.md', ['/p'], 1, 'not approved', 'refuse'],
  ['/home/ann/.ssh/id', ['/p'], 1, 'not approved', 'refuse'],
  ['/home/ann/x.md', ['/p'], 1, null, 'load'],
  ['/anywhere', undefined, 1, 'not approved', 'load'],
  ['/p/a.md', ['/p'], 5, 'not approved', 'load'],
  ['/p/a.md', ['/p'], 6, null, 'refuse'],
])('%s within %j at depth %i, %s: %s', (realPath, within, depth, whyNot, expected) => {
  expect(whyNotImported({ realPath, within, depth, whyNot }) === undefined ? 'load' : 'refuse').toBe(expected);
});

it.each([
  ['nothing', []],
  ['@a.md', ['a.md']],
  ['see @docs/a.md, @./b.md and @~/c.md.', ['docs/a.md', './b.md', '~/c.md']],
  ['(@a.md)', []],
  ['( @a.md)', ['a.md']],
  ['ann@example.com', []],
  ['- @a.md\n- @a.md', ['a.md']],
  ['`@a.md` and ``x @b.md``', []],
  ['```\n@a.md\n```\n@b.md', ['b.md']],
  ['~~~md\n@a.md\n```\n@b.md\n~~~\n@c.md', ['c.md']],
  ['````\n```\n@a.md\n````\n@b.md', ['b.md']],
  ['@my\\ notes.md', ['my notes.md']],
  ['@', []],
])('finds the imports of %j', (text, expected) => {
  expect(findImports(text)).toEqual(expected);
});
