import { expect, it } from 'vitest';
import { bashPattern } from './bashPattern.ts';

it.each([
  ['*', 'a b', true],
  ['*', '.a', false],
  ['?a', '.a', false],
  ['[.]a', '.a', false],
  ['.*', '.a', true],
  ['\\.*', '.a', true],
  ['a?c', 'abc', true],
  ['a?c', 'ac', false],
  ['a*b*c', 'axxbyyc', true],
  ['a*b*c', 'axxcyyb', false],
  ['[abc]', 'b', true],
  ['[!abc]', 'b', false],
  ['[^abc]', 'd', true],
  ['[a-c]', 'b', true],
  ['[a-c]', 'd', false],
  ['[]a]', ']', true],
  ['[!]a]', ']', false],
  ['[!]a]', 'b', true],
  ['[a-]', '-', true],
  ['[-a]', '-', true],
  ['[a\\-c]', 'b', false],
  ['[a\\-c]', '-', true],
  ['[x\\]y]', ']', true],
  ['[[:alpha:]]', 'q', true],
  ['[[:alpha:]]', '1', false],
  ['[![:digit:]]', 'q', true],
  ['[[:alpha:]_]', '_', true],
  // what depends on the locale may be any character
  ['[[=n=]]', 'n', true],
  ['[[.n.]]', 'x', true],
  ['[![.n.]]', 'n', true],
  ['[[:nothing:]]', 'x', true],
  ['[z-a]', 'm', true],
  ['[ab', '[ab', true],
  ['[ab', 'a', false],
  ['[]', '[]', true],
  ['\\*', '*', true],
  ['\\*', 'a', false],
  ['a\\', 'a\\', true],
  ['[A]', 'a', false],
  ['?x', 'éx', true],
  ['??x', 'éx', true],
  ['', '', true],
])('%j and %j: %j', (pattern, name, fits) => expect(bashPattern(pattern, { wide: false })(name)).toBe(fits));

it.each([
  ['*', '.a', true],
  ['.ENV*', '.env', true],
  ['[A-Z]x', 'bx', true],
  ['[!A-Z]x', 'bx', true],
  ['[[:upper:]]x', 'bx', true],
  ['a', 'b', false],
])('read as widely as bash can, %j and %j: %j', (pattern, name, fits) =>
  expect(bashPattern(pattern, { wide: true })(name)).toBe(fits),
);

it('takes no longer for a hostile name', () => {
  const startedAt = performance.now();
  expect(bashPattern(`${'*a'.repeat(90)}b`, { wide: true })('a'.repeat(255))).toBe(false);
  expect(performance.now() - startedAt).toBeLessThan(500);
});
