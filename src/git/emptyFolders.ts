import type { Dirent } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { type Git, readLines } from './git.ts';
import { absolutePath, folderPath, pathBytes, quotePath } from './quotedPath.ts';
import { withoutIgnored } from './withoutIgnored.ts';

/** A tree with more empty folders than this was generated. */
const MAX_NAMED = 200;
const MAX_VISITED = 5_000;

/**
 * Empty folders that are not ignored, as git quotes paths. A tree cannot hold them, so a snapshot records their names.
 */
export async function emptyFolders(git: Git, topLevel: string): Promise<readonly string[]> {
  const args = ['ls-files', '--others', '--directory', '--exclude-standard'];
  const untracked = await readLines(git, { folder: topLevel, args }, folderPath);
  if (!Array.isArray(untracked)) return [];
  const paths = await emptyBelow(topLevel, untracked.slice(0, MAX_VISITED));
  return (await withoutIgnored(git, topLevel, { paths, are: 'folders' })).slice(0, MAX_NAMED);
}

/** Empty folders at or below the given ones, except in other repositories. */
export async function emptyBelow(topLevel: string, folders: readonly string[]): Promise<string[]> {
  const waiting = [...folders];
  const empty: string[] = [];
  for (let visited = 0; waiting.length > 0 && visited < MAX_VISITED; visited++) {
    const path = waiting.pop() ?? '';
    const entries = await entriesOf(topLevel, path);
    if (entries?.length === 0) empty.push(path);
    if (entries === undefined || entries.some(({ name }) => name.toString() === '.git')) continue;
    for (const entry of entries) if (entry.isDirectory()) waiting.push(below(path, entry.name));
  }
  return empty.toSorted();
}

const entriesOf = (topLevel: string, path: string): Promise<Dirent<Buffer>[] | undefined> =>
  readdir(absolutePath(topLevel, path), { withFileTypes: true, encoding: 'buffer' }).catch(() => undefined);

const below = (path: string, name: Buffer) => quotePath(Buffer.concat([pathBytes(path), Buffer.from('/'), name]));
