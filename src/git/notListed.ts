import { type Dirent, readdirSync } from 'node:fs';
import { setImmediate } from 'node:timers/promises';
import { attempt } from '../system/attempt.ts';
import { type Git, readLines } from './git.ts';
import { whyUnfit } from './inspectFiles.ts';
import type { LeftOut } from './leftOut.ts';
import { absolutePath, folderPath, pathBytes, quotePath, shownPath } from './quotedPath.ts';

/** A tree with more empty folders than this was generated. */
const MAX_EMPTY = 200;
const MAX_EMPTY_VISITED = 5_000;
const MAX_SPECIAL = 50;
const MAX_VISITED = 20_000;
const FOLDERS_IN_A_ROW = 64;

const OTHERS = ['ls-files', '--others', '--exclude-standard', '--directory'];

/**
 * Empty folders that are not ignored, as git quotes paths. A tree cannot hold them, so a snapshot records their names.
 */
export async function emptyFolders(git: Git, topLevel: string): Promise<readonly string[]> {
  const untracked = await readLines(git, { folder: topLevel, args: OTHERS }, folderPath).catch(() => []);
  const paths = await emptyBelow(topLevel, untracked.slice(0, MAX_EMPTY_VISITED));
  return (await withoutIgnored(git, topLevel, { paths, are: 'folders' })).slice(0, MAX_EMPTY);
}

/** Empty folders at or below the given ones, except in other repositories. */
export async function emptyBelow(topLevel: string, folders: readonly string[]): Promise<string[]> {
  const empty: string[] = [];
  for await (const { folder, entries } of walk(topLevel, folders, MAX_EMPTY_VISITED)) {
    if (entries.length === 0) empty.push(folder);
  }
  return empty.toSorted();
}

/**
 * Pipes, sockets and devices that are not ignored. Git neither lists nor stores them, but the report of a kept state has
 * to name what it lacks.
 */
export async function specialFiles(git: Git, topLevel: string): Promise<readonly LeftOut[]> {
  const read = (line: string) => folderPath(line) ?? line;
  const listed = await readLines(git, { folder: topLevel, args: [...OTHERS, '--ignored'] }, read).catch(
    () => undefined,
  );
  if (listed === undefined) return [];
  const ignored = new Set(listed);
  const found = new Map<string, string>();
  for await (const { folder, entries } of walk(topLevel, [''], MAX_VISITED, ignored)) {
    for (const entry of entries) {
      if (!entry.isDirectory() && whyUnfit(entry)) found.set(below(folder, entry), whyUnfit(entry) ?? '');
    }
  }
  const names = await withoutIgnored(git, topLevel, { paths: [...found.keys()], are: 'files' });
  const left = names.toSorted().slice(0, MAX_SPECIAL);
  return left.map((path) => ({ path: shownPath(path), reason: found.get(path) ?? '', isEmpty: true }));
}

/** Folders with their entries; other repositories, and folders that cannot be read, are skipped. */
async function* walk(topLevel: string, from: readonly string[], most: number, ignored?: ReadonlySet<string>) {
  const waiting = [...from];
  for (let visited = 0; waiting.length > 0 && visited < most; visited++) {
    if (visited % FOLDERS_IN_A_ROW === 0) await setImmediate();
    const folder = waiting.pop() ?? '';
    const all = entriesIn(absolutePath(topLevel, folder));
    const entries = all?.filter(({ name }) => name.toString() !== '.git') ?? [];
    if (all === undefined || (folder !== '' && entries.length < all.length)) continue;
    const inside = entries.filter((entry) => entry.isDirectory()).map((entry) => below(folder, entry));
    waiting.push(...inside.filter((path) => !ignored?.has(path)));
    yield { folder, entries };
  }
}

const entriesIn = (folder: Buffer): Dirent<Buffer>[] | undefined =>
  attempt(() => readdirSync(folder, { withFileTypes: true, encoding: 'buffer' }), undefined);

const below = (folder: string, { name }: Dirent<Buffer>) =>
  quotePath(folder === '' ? name : Buffer.concat([pathBytes(folder), Buffer.from('/'), name]));

/** The paths that no rule ignores. A rule can apply to folders only, so git has to know what they are. */
export async function withoutIgnored(
  git: Git,
  folder: string,
  { paths, are }: { readonly paths: readonly string[]; readonly are: 'folders' | 'files' },
): Promise<string[]> {
  // git takes an empty line for a path, and fails
  if (paths.length === 0) return [];
  const input = are === 'files' ? paths : paths.map((path) => path.replace(/"?$/, '/$&'));
  const ignored = new Set<string>();
  const onLine = (line: string) => void ignored.add(folderPath(line) ?? line);
  // exits 1 when none is ignored
  await git.run({ folder, args: ['check-ignore', '--stdin'], input, onLine, okCodes: [1] });
  return paths.filter((path) => !ignored.has(path));
}
