import { type BigIntStats, statSync } from 'node:fs';
import { attempt } from '../../system/attempt.ts';
import { type Unavailable, unavailable } from '../unavailable.ts';

/**
 * Whether the file of an open database is still at its path. SQLite goes on without a word in one that was removed or replaced: no
 * other process sees these changes, and they are gone when this one ends.
 */
export function openedFile(path: string): () => Unavailable | undefined {
  const opened = fileAt(path);
  if (opened === null) return () => undefined;
  return () => {
    const now = fileAt(path);
    if (now !== null && now.ino === opened.ino && now.dev === opened.dev) return undefined;
    return unavailable(
      'unreachable',
      `The store ${path} was removed or replaced while a process had it open, so nothing more is written to it; end its workers and coordinators and start them again.`,
    );
  };
}

const fileAt = (path: string): BigIntStats | null =>
  path === ':memory:' ? null : attempt(() => statSync(path, { bigint: true }), null);
