import { rm } from 'node:fs/promises';
import type { GitFailure } from './git.ts';

const ATTEMPTS = 4;

/** Repeats a command that died because another process was writing a file. The private index is still locked then. */
export async function repeatCutShort<End extends { readonly type: string }>(
  indexFile: string | undefined,
  run: () => Promise<End | GitFailure>,
): Promise<End | GitFailure> {
  for (let attempt = 1; ; attempt++) {
    const end = await run();
    if (!('wasCutShort' in end && end.wasCutShort)) return end;
    await unlock(indexFile);
    if (attempt === ATTEMPTS) return end;
  }
}

/** Only for a private index, after the command that used it has ended. */
export async function unlock(indexFile: string | undefined): Promise<void> {
  if (indexFile !== undefined) await rm(`${indexFile}.lock`, { force: true });
}
