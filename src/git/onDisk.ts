import { lstat } from 'node:fs/promises';
import { type Git, readLines } from './git.ts';
import { absolutePath, foldersAbove, pathBytes, quotePath } from './quotedPath.ts';

const BATCH = 64;

/** Maps many items, a bounded number of them in parallel. */
export async function mapInBatches<Item, Result>(
  items: readonly Item[],
  map: (item: Item) => Promise<Result>,
  batch = BATCH,
): Promise<Result[]> {
  const results: Result[] = [];
  for (let start = 0; start < items.length; start += batch) {
    results.push(...(await Promise.all(items.slice(start, start + batch).map(map))));
  }
  return results;
}

/** The paths that exist on disk and are not folders. A path below a symbolic link names another file. */
export async function onDisk(topLevel: string, paths: readonly string[]): Promise<ReadonlySet<string>> {
  const folders = new Map<string, Promise<boolean>>();
  const isRealFolder = (folder: string) => {
    const known = folders.get(folder) ?? entryAt(topLevel, folder).then((entry) => entry?.isDirectory() ?? false);
    folders.set(folder, known);
    return known;
  };
  const isFile = async (path: string) => {
    for (const folder of foldersAbove(pathBytes(path))) if (!(await isRealFolder(quotePath(folder)))) return false;
    const entry = await entryAt(topLevel, path);
    return entry !== undefined && !entry.isDirectory();
  };
  const found = await mapInBatches(paths, isFile);
  return new Set(paths.filter((_, index) => found[index]));
}

const entryAt = (topLevel: string, path: string) => lstat(absolutePath(topLevel, path)).catch(() => undefined);

/**
 * Files that the tree when the work began has, the later one does not, and that are still on disk: removed from the index
 * and mostly ignored since, so that git lists no change to them.
 */
export async function formerlyTracked(
  git: Git,
  folder: string,
  { start, now }: { readonly start: string | undefined; readonly now: string },
): Promise<readonly string[]> {
  if (start === undefined) return [];
  const args = ['diff-tree', '-r', '--name-only', '--no-renames', '--diff-filter=D', '--end-of-options', start, now];
  return [...(await onDisk(folder, await readLines(git, { folder, args }, (line) => line)))];
}
