import { expect, it } from 'vitest';
import { nearestName } from './nearestName.ts';

it.each([
  ['index.ts', ['index.js', 'other.ts'], 'index.js'],
  ['README.MD', ['readme.md'], 'readme.md'],
  ['handelr.ts', ['handler.ts', 'main.ts'], 'handler.ts'],
  ['handler.ts', ['handlers.ts', 'handle.ts'], 'handle.ts'],
  ['a.ts', ['zzz.ts', 'bcd.ts'], undefined],
  ['.env', ['.envrc', '.git'], undefined],
  ['x', [], undefined],
])('the nearest to %s in %j is %s', (name, names, expected) => {
  expect(nearestName(name, names)).toBe(expected);
});
