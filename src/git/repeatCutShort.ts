import { rm } from 'node:fs/promises';
import { GitError } from './git.ts';

const ATTEMPTS = 4;

/** Repeats a command that died because another process was writing a file. The private index is still locked then. */
export async function repeatCutShort<Value>(indexFile: string | undefined, run: () => Promise<Value>): Promise<Value> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await run();
    } catch (error) {
      if (!(error instanceof GitError && error.failure.wasCutShort)) throw error;
      await unlock(indexFile);
      if (attempt === ATTEMPTS) throw error;
    }
  }
}

/** Only for a private index, after the command that used it has ended. */
export async function unlock(indexFile: string | undefined): Promise<void> {
  if (indexFile !== undefined) await rm(`${indexFile}.lock`, { force: true });
}
