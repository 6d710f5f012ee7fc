import { expect, it } from 'vitest';
import { tempFolder } from '../testing/tempFolder.ts';
import { hostNameOf, isSameHost, thisHost } from './thisHost.ts';

it.each(
  [
    ['box#a1', 'box#a1', true],
    ['two machines with one name', 'box#a1', 'box#b2', false],
    ['a machine that was renamed', 'box#a1', 'laptop#a1', true],
    ['two users of one machine', 'box#a1.s', 'box#b2.s', true],
    ['a machine after a restart', 'box#a1.s', 'box#a1.t', true],
    ['two machines with one name, started', 'box#a1.s', 'box#b2.t', false],
    ['a record of an older version', 'box', 'box#a1', true],
    ['another one', 'other', 'box#a1', false],
  ].map((row) => (row.length === 3 ? ['itself', ...row] : row) as [string, string, string, boolean]),
)('%s: %s and %s', (_, one, other, same) => {
  expect(isSameHost(one, other)).toBe(same);
});

it('has a key of its folder, and is one machine for all its users', async () => {
  await using one = await tempFolder();
  await using other = await tempFolder();
  const host = thisHost({ STOPGATE_HOME: one.path });
  expect(thisHost({ STOPGATE_HOME: one.path })).toBe(host);
  const others = thisHost({ STOPGATE_HOME: other.path });
  expect(others).not.toBe(host);
  expect(isSameHost(others, host)).toBe(others.includes('.'));
  expect(hostNameOf(thisHost({ STOPGATE_HOME: other.path }))).toBe(hostNameOf(host));
  expect(isSameHost(null, host)).toBe(false);
});
