import { rm } from 'node:fs/promises';
import type { GitFailure } from './git.ts';

const ATTEMPTS = 4;

/**
 * Asks again when a file that somebody was writing cut git short: the next moment it has its length back. A private index
 * that was in use then is still locked, by nobody.
 */
export async function repeatCutShort<End extends { readonly type: string }>(
  indexFile: string | undefined,
  ask: () => Promise<End | GitFailure>,
): Promise<End | GitFailure> {
  for (let attempt = 1; ; attempt++) {
    const end = await ask();
    if (!('wasCutShort' in end && end.wasCutShort)) return end;
    await unlock(indexFile);
    if (attempt === ATTEMPTS) return end;
  }
}

/** Only for an index of our own, once the command that used it is gone. */
export async function unlock(indexFile: string | undefined): Promise<void> {
  if (indexFile !== undefined) await rm(`${indexFile}.lock`, { force: true });
}
