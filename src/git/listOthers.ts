import { randomUUID } from 'node:crypto';
import { lstatSync } from 'node:fs';
import { attempt } from '../system/attempt.ts';
import type { Mirror } from './mirror.ts';
import { absolutePath, folderPath, foldersAbove, pathBytes, quotePath } from './quotedPath.ts';

/** Files that editors, desktops and agents leave in any folder, and no check reads. A folder of such a name counts. */
const DROPPINGS = ['.DS_Store', 'Thumbs.db', '*.swp', '*.swo', '*~', '.#*', '.idea/workspace.xml'];
/** Claude Code writes the user's answers there, `stopgate launch` its hooks. */
const LOCAL_SETTINGS = '.claude/settings.local.json';

export interface Others {
  /** Files that no rule ignores, and repositories, which end in a slash; quoted. At most as many as asked for. */
  readonly files: readonly string[];
  /** How many more there are. */
  readonly uncounted: number;
  /** Ignored by .gitignore files, quoted; a folder that is ignored as a whole ends in a slash. */
  readonly ignored: readonly string[];
  /** Folders, quoted, without tracked files that no rule ignores: they may be empty. */
  readonly folders: readonly string[];
}

/**
 * What is not tracked. A walk through a large worktree takes a third of a `git status`, so there is at most one, without any
 * rule: what it finds, with whole folders as one entry, is all that the two lists can contain.
 */
export async function listOthers(mirror: Mirror, most: number): Promise<Others> {
  const found = (await mirror.walk.known()) ?? (await walk(mirror));
  if (found.length === 0) return { files: [], uncounted: 0, ignored: [], folders: [] };
  const within = pathspecs(found);
  const lists =
    (within && (await applyWithoutIndex(mirror, found, { within, most }))) ??
    (await applyRules(mirror, { within: within ?? [], most }));
  const hidden = new Set(lists.ignored);
  const folders = found.flatMap((line) => (hidden.has(line) ? [] : (folderPath(line) ?? [])));
  return { ...lists, folders };
}

async function walk({ run, walk: record }: Mirror): Promise<readonly string[]> {
  const found: string[] = [];
  await run(['ls-files', '--others', '--directory'], { onLine: (line) => found.push(line) });
  record.keep(found);
  return found;
}

type Lists = Omit<Others, 'folders'>;

interface Request {
  /** Pathspecs; none for the whole worktree. */
  readonly within: readonly string[];
  readonly most: number;
}

/** By default with the index of all tracked files. */
async function applyRules({ run }: Mirror, { within, most }: Request, indexFile?: string): Promise<Lists> {
  const rules = '--exclude-per-directory=.gitignore';
  const droppings = [...DROPPINGS, LOCAL_SETTINGS].flatMap((name) => [`--exclude=${name}`, `--exclude=!${name}/`]);
  const list = (more: readonly string[], onLine: (line: string) => void) => {
    const args = ['ls-files', '--others', rules, ...droppings, ...more, ...within];
    return run(args, { ...(indexFile && { indexFile }), onLine });
  };
  const files: string[] = [];
  const ignored: string[] = [];
  let uncounted = 0;
  await Promise.all([
    list([], (line) => (files.length < most ? files.push(line) : uncounted++)),
    list(['--ignored', '--directory'], (line) => ignored.push(line)),
  ]);
  return { files, uncounted, ignored };
}

/**
 * The same without an index, whose reading takes longer than all the rest: no found path is tracked. Undefined when that
 * makes a difference: git does not look into a folder with a `.git` inside, except where it has tracked files.
 */
async function applyWithoutIndex(
  mirror: Mirror,
  found: readonly string[],
  request: Request,
): Promise<Lists | undefined> {
  if (foldersOf(found).some((folder) => isThere(absolutePath(mirror.topLevel, `${folder}/.git`)))) return undefined;
  // nothing has this name, so that no other process can put an index there
  const lists = await applyRules(mirror, request, `${mirror.gitDir}/none-${randomUUID()}`);
  const listed = new Set([...lists.files, ...lists.ignored]);
  return found.every((path) => listed.has(path) || folderPath(path) !== undefined) ? lists : undefined;
}

/** The folders above the paths, each once; found paths are plain text here. */
function foldersOf(found: readonly string[]): readonly string[] {
  const above = found.flatMap((path) => [...foldersAbove(pathBytes(folderPath(path) ?? path))].map(quotePath));
  return [...new Set(above)];
}

const isThere = (file: Buffer): boolean =>
  attempt(() => lstatSync(file, { throwIfNoEntry: false }) !== undefined, true);

const MAX_PATHSPECS = 1_000;

/** Arguments that keep git to these paths; null, for the whole worktree, when they are too many or not plain text. */
function pathspecs(paths: readonly string[]): readonly string[] | null {
  if (paths.length > MAX_PATHSPECS || paths.some((path) => path.startsWith('"'))) return null;
  return ['--', ...paths.map((path) => `:(literal)${folderPath(path) ?? path}`)];
}
