import type { Unavailable, UnavailableCause } from '../unavailable.ts';

/** SQLite's own numbers: an extended code, or its low byte. */
const CAUSES: ReadonlyMap<number, { readonly cause: UnavailableCause; readonly text: string }> = new Map([
  [3, { cause: 'unreachable', text: 'may not be accessed; check its permissions' }],
  [5, { cause: 'busy', text: 'has been locked by another process for too long; try again' }],
  [6, { cause: 'busy', text: 'has been locked by another process for too long; try again' }],
  [8, { cause: 'unreachable', text: 'cannot be written; check the permissions of the file and of its folder' }],
  [10, { cause: 'unreachable', text: 'cannot be read or written because of a disk error' }],
  [11, { cause: 'unusable', text: 'is damaged; restore it from a copy' }],
  [13, { cause: 'diskFull', text: 'cannot grow because the disk is full; free some space' }],
  [14, { cause: 'unreachable', text: 'cannot be opened; check that its folder exists and may be written' }],
  [23, { cause: 'unreachable', text: 'may not be accessed; check its permissions' }],
  // no room for the index of its log, which is created first
  [4874, { cause: 'diskFull', text: 'cannot be opened because the disk is full; free some space' }],
  [26, { cause: 'unusable', text: 'is not a database; choose another path' }],
]);

/** The outcome for an error of SQLite; undefined if the error is a bug. */
export function unavailableBecause(error: unknown, path: string): Unavailable | undefined {
  if (!(error instanceof Error)) return undefined;
  if (error.message === 'database is not open') return closed(path);
  if (!('errcode' in error) || typeof error.errcode !== 'number') return undefined;
  const known = CAUSES.get(error.errcode) ?? CAUSES.get(error.errcode & 0xff);
  return known && { type: 'unavailable', cause: known.cause, reason: `The store ${path} ${known.text}.` };
}

export function closed(path: string): Unavailable {
  return { type: 'unavailable', cause: 'closed', reason: `The store ${path} is closed.` };
}

export function moved(path: string, to: string): Unavailable {
  const reason = `The tasks of ${path} have moved to ${to}; use that store.`;
  return { type: 'unavailable', cause: 'moved', reason, movedTo: to };
}
