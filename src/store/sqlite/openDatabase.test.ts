import { DatabaseSync } from 'node:sqlite';
import { expect, it } from 'vitest';
import { hasWalResetFault } from './openDatabase.ts';

it.each([
  ['3.6.23', false],
  ['3.7.0', true],
  ['3.40.1', true],
  ['3.44.5', true],
  ['3.44.6', false],
  ['3.45.0', true],
  ['3.50.6', true],
  ['3.50.7', false],
  ['3.51.0', true],
  ['3.51.2', true],
  ['3.51.3', false],
  ['3.52.0', false],
  ['3.53.4', false],
  ['4.0.0', false],
])('SQLite %s has the WAL-reset fault: %s', (version, faulty) => {
  expect(hasWalResetFault(version)).toBe(faulty);
});

it('does not have it in the Node that runs us', () => {
  using database = new DatabaseSync(':memory:');
  const { version } = database.prepare('SELECT sqlite_version() AS version').get() as { version: string };
  expect(hasWalResetFault(version)).toBe(false);
});
