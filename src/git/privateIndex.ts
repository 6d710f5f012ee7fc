import { constants } from 'node:fs';
import { open, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Git, GitFailure } from './git.ts';
import { onDisk } from './onDisk.ts';
import type { WorkTree } from './workTree.ts';

/** An index of our own, for `GIT_INDEX_FILE`: its lock is separate from the user's. */
export interface IndexScope {
  readonly topLevel: string;
  readonly indexFile: string;
  /** A command that writes an index may read a file again, and so run its filter. */
  readonly settings: Readonly<Record<string, string>>;
}

/**
 * Copies the index, so that git does not read and hash unchanged files again. Git rereads a file that is not older than
 * the index that lists it, because it may have changed right after; so the copy is dated a millisecond before the original.
 */
export async function copyIndex({ gitDir }: WorkTree, to: string): Promise<void> {
  const from = join(gitDir, 'index');
  const source = await open(from, constants.O_RDONLY | constants.O_NONBLOCK).catch((error: NodeJS.ErrnoException) => {
    // nothing was ever added: git starts with an empty one
    if (error.code === 'ENOENT') return undefined;
    throw error;
  });
  if (!source) return;
  await using file = source;
  // of the open file, because git replaces its index by a rename
  const facts = await file.stat();
  if (!facts.isFile()) throw new Error(`${from} is not a regular file`);
  const { mtimeMs } = facts;
  await writeFile(to, await file.readFile(), { mode: 0o600 });
  const seconds = (Math.floor(mtimeMs) - 1) / 1000;
  await utimes(to, seconds, seconds);
}

/** A sparse checkout of a monorepo can skip half a million files; those are not hidden changes. */
const MAX_SKIPPED = 20_000;

/**
 * Removes the marks that hide changes (`--assume-unchanged`, `--skip-worktree`) from files on disk: a local configuration
 * that is never committed is still work that can be lost. A file that a sparse checkout left out keeps its mark, so it
 * does not count as deleted.
 */
export async function unhide(git: Git, scope: IndexScope): Promise<GitFailure | undefined> {
  const assumed: string[] = [];
  const skipped: string[] = [];
  const onLine = (line: string) => {
    const tag = line.charAt(0);
    if (/[a-z]/.test(tag)) assumed.push(line.slice(2));
    if (/s/i.test(tag) && skipped.length < MAX_SKIPPED) skipped.push(line.slice(2));
  };
  const { topLevel: folder, indexFile } = scope;
  const listed = await git.run({ folder, args: ['ls-files', '-v'], indexFile, onLine });
  if (listed.type === 'failed') return listed;
  const failed = await unmark(git, scope, '--no-assume-unchanged', assumed);
  return failed ?? (await unmark(git, scope, '--no-skip-worktree', [...(await onDisk(folder, skipped))]));
}

async function unmark(git: Git, { topLevel, indexFile, settings }: IndexScope, flag: string, paths: readonly string[]) {
  if (paths.length === 0) return undefined;
  const input = `${paths.join('\n')}\n`;
  const end = await git.run({ folder: topLevel, args: ['update-index', flag, '--stdin'], indexFile, settings, input });
  return end.type === 'failed' ? end : undefined;
}
