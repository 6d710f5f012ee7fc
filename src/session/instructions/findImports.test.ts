import { expect, it } from 'vitest';
import { findImports } from './findImports.ts';

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
