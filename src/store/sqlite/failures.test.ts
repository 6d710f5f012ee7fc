import { expect, it } from 'vitest';
import { unavailableBecause } from './failures.ts';

const sqliteError = (errcode: number) => Object.assign(new Error('from SQLite'), { errcode });

it.each([
  [5, 'busy', 'locked by another process'],
  [261, 'busy', 'locked by another process'],
  [13, 'diskFull', 'the disk is full'],
  // as a store on a full disk is opened
  [4874, 'diskFull', 'the disk is full'],
  [778, 'unreachable', 'because of a disk error'],
  [11, 'unusable', 'is damaged'],
])('code %i is %s', (errcode, cause, words) => {
  const outcome = unavailableBecause(sqliteError(errcode), '/x.db');
  expect(outcome).toMatchObject({ type: 'unavailable', cause, reason: expect.stringContaining(words) });
  expect(outcome?.reason).toMatch(/^The store \/x\.db .*\.$/);
});

it('leaves what is our own fault to be thrown', () => {
  for (const error of [sqliteError(1), sqliteError(19), new Error('x'), 'x', undefined]) {
    expect(unavailableBecause(error, '/x.db')).toBeUndefined();
  }
});
