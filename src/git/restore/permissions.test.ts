import { expect, it } from 'vitest';
import { permissionsFor } from './restoreWork.ts';

it.each([
  ['a new file gets what was recorded', { kept: 0o600 }, 0o600],
  ['a new file of an earlier version gets the default', {}, undefined],
  ['a file as checked out gets what was recorded', { kept: 0o600, present: 0o644 }, 0o600],
  ['a file as checked out is opened as recorded', { kept: 0o666, present: 0o644 }, 0o666],
  ['a file that was closed since stays closed', { kept: 0o644, present: 0o600 }, 0o600],
  ['an undo opens again what the restore closed', { kept: 0o644, present: 0o600, base: 0o600 }, 0o644],
  ['an undo leaves closed what was closed after the restore', { kept: 0o644, present: 0o600, base: 0o644 }, 0o600],
  ['an earlier version leaves readers as they are', { present: 0o640 }, 0o640],
  ['an earlier version adds that it can be run', { present: 0o640, isExecutable: true }, 0o750],
] as const)('%s', (_name, facts, expected) => {
  const all = { kept: undefined, present: undefined, base: undefined, isExecutable: false, ...facts };
  expect(permissionsFor(all)).toBe(expected);
});
