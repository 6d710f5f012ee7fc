import type { Dirent } from 'node:fs';
import { readdir } from 'node:fs/promises';
import type { Git } from './git.ts';
import { absolutePath, pathBytes, quotePath } from './quotedPath.ts';
import { withoutIgnored } from './withoutIgnored.ts';

/** A list of names helps up to here; a tree with more empty folders than this was generated. */
const MAX_NAMED = 200;
const MAX_VISITED = 5_000;

/**
 * Folders that hold nothing at all and are not ignored, as git quotes paths: git has no place for them in a tree, so a
 * snapshot remembers their names. Bounded, because only folders without tracked files have to be looked into.
 */
export async function emptyFolders(git: Git, topLevel: string): Promise<readonly string[]> {
  const untracked: string[] = [];
  const args = ['ls-files', '--others', '--directory', '--exclude-standard'];
  const onLine = (line: string) => {
    const folder = /^(.*)\/("?)$/s.exec(line);
    if (folder && untracked.length < MAX_VISITED) untracked.push(`${folder[1]}${folder[2]}`);
  };
  const listed = await git.run({ folder: topLevel, args, onLine });
  if (listed.type === 'failed') return [];
  const found = await emptyBelow(topLevel, untracked);
  return found.length === 0
    ? []
    : (await withoutIgnored(git, topLevel, { paths: found, are: 'folders' })).slice(0, MAX_NAMED);
}

/** Folders without any entry at or below some folders, other repositories left out. */
export async function emptyBelow(topLevel: string, folders: readonly string[]): Promise<string[]> {
  const waiting = [...folders];
  const empty: string[] = [];
  for (let visited = 0; waiting.length > 0 && visited < MAX_VISITED; visited++) {
    const path = waiting.pop() ?? '';
    const entries = await entriesOf(topLevel, path);
    if (entries?.length === 0) empty.push(path);
    // another repository's folders are its own
    if (entries === undefined || entries.some(({ name }) => name.toString() === '.git')) continue;
    for (const entry of entries) if (entry.isDirectory()) waiting.push(below(path, entry.name));
  }
  return empty.toSorted();
}

const entriesOf = (topLevel: string, path: string): Promise<Dirent<Buffer>[] | undefined> =>
  readdir(absolutePath(topLevel, path), { withFileTypes: true, encoding: 'buffer' }).catch(() => undefined);

const below = (path: string, name: Buffer) => quotePath(Buffer.concat([pathBytes(path), Buffer.from('/'), name]));
