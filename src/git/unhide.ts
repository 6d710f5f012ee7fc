import { lstat } from 'node:fs/promises';
import type { Git, GitFailure } from './git.ts';
import { absolutePath } from './quotedPath.ts';

/** A sparse checkout of a monorepo can skip half a million files; those are not somebody's hidden changes. */
const MAX_LOOKED_AT = 20_000;

export interface IndexScope {
  readonly topLevel: string;
  readonly indexFile: string;
  /** Whatever writes an index may look at a file again, and so run its filter. */
  readonly settings: Readonly<Record<string, string>>;
}

/**
 * Takes off, in a private index, the marks that hide changes (`--assume-unchanged`, `--skip-worktree`) from files that
 * are on disk: a local configuration that is never to be committed is still work that can be lost. What a sparse
 * checkout left out is not on disk, keeps its mark, and so is no deletion.
 */
export async function unhide(git: Git, scope: IndexScope): Promise<GitFailure | undefined> {
  const assumed: string[] = [];
  const skipped: string[] = [];
  const onLine = (line: string) => {
    const tag = line.charAt(0);
    if (/[a-z]/.test(tag)) assumed.push(line.slice(2));
    if (/s/i.test(tag) && skipped.length < MAX_LOOKED_AT) skipped.push(line.slice(2));
  };
  const listed = await git.run({
    folder: scope.topLevel,
    args: ['ls-files', '-v'],
    indexFile: scope.indexFile,
    onLine,
  });
  if (listed.type === 'failed') return listed;
  const present = await onDisk(scope.topLevel, skipped);
  return (
    (await unmark(git, scope, '--no-assume-unchanged', assumed)) ?? unmark(git, scope, '--no-skip-worktree', present)
  );
}

async function unmark(git: Git, { topLevel, indexFile, settings }: IndexScope, flag: string, paths: readonly string[]) {
  if (paths.length === 0) return undefined;
  const input = `${paths.join('\n')}\n`;
  const end = await git.run({ folder: topLevel, args: ['update-index', flag, '--stdin'], indexFile, settings, input });
  return end.type === 'failed' ? end : undefined;
}

async function onDisk(topLevel: string, paths: readonly string[]): Promise<readonly string[]> {
  const there = await Promise.all(
    paths.map(async (path) => await lstat(absolutePath(topLevel, path)).catch(() => undefined)),
  );
  // a submodule that is skipped is a folder
  return paths.filter((_, index) => there[index] && !there[index].isDirectory());
}
