import { constants } from 'node:fs';
import { copyFile, open, rm, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Git, GitError, outputOf, readLines } from './git.ts';
import type { Settings } from './hardening.ts';
import { onDisk } from './onDisk.ts';
import type { WorkTree } from './workTree.ts';

/** An index of our own, for `GIT_INDEX_FILE`: its lock is separate from the user's. */
export interface IndexScope {
  /** The top of the worktree. */
  readonly folder: string;
  readonly indexFile: string;
  /** A command that writes an index may read a file again, and so run its filter. */
  readonly settings: Settings;
}

/**
 * Copies the index, so that git does not read and hash unchanged files again. Git rereads a file that is not older than
 * the index that lists it, because it may have changed right after; so the copy is dated a millisecond before the original.
 */
export async function copyIndex({ gitDir }: Pick<WorkTree, 'gitDir'>, to: string): Promise<void> {
  const from = join(gitDir, 'index');
  await using file = await open(from, constants.O_RDONLY | constants.O_NONBLOCK).catch(
    (error: NodeJS.ErrnoException) => {
      // nothing was ever added: git starts with an empty one
      if (error.code === 'ENOENT') return undefined;
      throw error;
    },
  );
  if (!file) return;
  // of the open file, because git replaces its index by a rename
  const facts = await file.stat();
  if (!facts.isFile()) throw new Error(`${from} is not a regular file`);
  await writeFile(to, await file.readFile(), { mode: 0o600 });
  const seconds = (Math.floor(facts.mtimeMs) - 1) / 1000;
  await utimes(to, seconds, seconds);
}

/** Replaces a private index that git cannot read (a crash, a full disk) by HEAD, and unhides what it hides. */
export async function makeUsable(git: Git, scope: IndexScope, head: string | undefined): Promise<void> {
  try {
    await unhide(git, scope);
  } catch (error) {
    const isBroken = error instanceof GitError && /index file|bad signature|bad index/i.test(error.failure.stderr);
    if (!isBroken) throw error;
    await rm(scope.indexFile, { force: true });
    if (head !== undefined) await outputOf(git, { ...scope, args: ['read-tree', 'HEAD'] });
  }
}

/** A sparse checkout of a monorepo can skip half a million files; those are not hidden changes. */
const MAX_SKIPPED = 20_000;

/**
 * Removes the marks that hide changes (`--assume-unchanged`, `--skip-worktree`) from files on disk: a local configuration
 * that is never committed is still work that can be lost. A file that a sparse checkout left out keeps its mark, so it
 * does not count as deleted.
 */
export async function unhide(git: Git, scope: IndexScope): Promise<void> {
  const assumed: string[] = [];
  const skipped: string[] = [];
  const onLine = (line: string) => {
    const tag = line.charAt(0);
    if (/[a-z]/.test(tag)) assumed.push(line.slice(2));
    if (/s/i.test(tag) && skipped.length < MAX_SKIPPED) skipped.push(line.slice(2));
  };
  await outputOf(git, { ...scope, args: ['ls-files', '-v'], onLine });
  await updateIndex(git, scope, ['--no-assume-unchanged'], assumed);
  await updateIndex(git, scope, ['--no-skip-worktree'], [...(await onDisk(scope.folder, skipped))]);
}

/** By standard input: no name can be taken for an option, no list is too long. */
export async function updateIndex(git: Git, scope: IndexScope, flags: readonly string[], paths: readonly string[]) {
  if (paths.length > 0) await outputOf(git, { ...scope, args: ['update-index', ...flags, '--stdin'], input: paths });
}

/** `--missing-ok`: a partial clone need not fetch objects for this. */
export const writeTree = (git: Git, scope: IndexScope): Promise<string> =>
  outputOf(git, { ...scope, args: ['write-tree', '--missing-ok'] });

/**
 * The tree of a private index: the staged versions. Paths in conflict have none and are left out; the merged commits
 * hold both sides. Undefined when git cannot write it.
 */
export async function writeIndexTree(git: Git, scope: IndexScope): Promise<string | undefined> {
  const partial = { ...scope, indexFile: `${scope.indexFile}.staged` };
  try {
    return await writeTree(git, scope);
  } catch (error) {
    if (!(error instanceof GitError && /unmerged/.test(error.failure.stderr))) return undefined;
    await copyFile(scope.indexFile, partial.indexFile);
    return await writeWithoutConflicts(git, partial).catch(() => undefined);
  } finally {
    await rm(partial.indexFile, { force: true });
  }
}

async function writeWithoutConflicts(git: Git, scope: IndexScope): Promise<string> {
  const unmerged = await readLines(git, { ...scope, args: ['ls-files', '--unmerged'] }, pathOfEntry);
  await updateIndex(git, scope, ['--force-remove'], [...new Set(unmerged)]);
  return await writeTree(git, scope);
}

/** The path in a line of `ls-files --stage`. */
export const pathOfEntry = (line: string): string => line.slice(line.indexOf('\t') + 1);
