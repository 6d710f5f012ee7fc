import { type KeyId, matchesKey } from '@earendil-works/pi-tui';

// Everything outside `screen/` uses these instead of the library, so that another one can take its place.

export type KeyName = KeyId;

export const isKey = (data: string, ...names: readonly KeyName[]): boolean =>
  names.some((name) => matchesKey(data, name));

/** A character that a person typed, and not a sequence, a paste or a control character. */
export const isCharacter = (data: string): boolean => [...data].length === 1 && data >= ' ' && data !== '\u007f';
