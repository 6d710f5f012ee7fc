import { constants } from 'node:fs';
import { mkdtemp, open, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { WorkTree } from './workTree.ts';

export interface PrivateIndex extends AsyncDisposable {
  /** For `GIT_INDEX_FILE`; its lock is made beside it, so nobody's lock is waited for. */
  readonly path: string;
}

/** A copy of the index, so that what did not change is not read and hashed again. Rejects as `node:fs` does. */
export async function copyIndex(workTree: WorkTree): Promise<PrivateIndex> {
  const folder = await mkdtemp(join(tmpdir(), 'stopgate-index-'));
  const remove = () => rm(folder, { recursive: true, force: true, maxRetries: 3 });
  const path = join(folder, 'index');
  try {
    await copyOlder(join(workTree.gitDir, 'index'), path);
  } catch (error) {
    await remove();
    throw error;
  }
  return { path, [Symbol.asyncDispose]: remove };
}

/**
 * Git reads a file again when it is not older than the index that lists it: it may have changed in that very moment. A
 * copy with a newer time would hide such changes, so the copy is a millisecond older than what it was made of.
 */
async function copyOlder(from: string, to: string): Promise<void> {
  const source = await open(from, constants.O_RDONLY | constants.O_NONBLOCK).catch((error: NodeJS.ErrnoException) => {
    // nothing was ever added: git starts with an empty one
    if (error.code === 'ENOENT') return undefined;
    throw error;
  });
  if (!source) return;
  await using file = source;
  // of the opened file: git replaces its index by a rename
  const facts = await file.stat();
  if (!facts.isFile()) throw new Error(`${from} is not a regular file`);
  const { mtimeMs } = facts;
  await writeFile(to, await file.readFile(), { mode: 0o600 });
  const seconds = (Math.floor(mtimeMs) - 1) / 1000;
  await utimes(to, seconds, seconds);
}
