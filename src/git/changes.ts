import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { filterSettings } from './filters.ts';
import { type Git, GitError, readLines } from './git.ts';
import { type IndexScope, pathOfEntry } from './privateIndex.ts';
import { absolutePath, folderPath } from './quotedPath.ts';

/** One path that differs from HEAD; paths as git quotes them. */
export type Change =
  | {
      readonly type: 'tracked';
      readonly path: string;
      /** Undefined for an added or a conflicted file. */
      readonly inHead: { readonly mode: string; readonly object: string } | undefined;
      /** Only the index has the staged version: it is neither committed nor in the file. */
      readonly isStagedApart?: boolean;
    }
  | { readonly type: 'deleted'; readonly path: string; readonly isStagedApart?: boolean }
  | { readonly type: 'untracked'; readonly path: string }
  /** With uncommitted work that the outer repository does not see, or at another commit. */
  | { readonly type: 'submodule'; readonly path: string; readonly isDirty: boolean; readonly isMoved: boolean }
  /** A repository in the worktree that is not a submodule. */
  | { readonly type: 'repository'; readonly path: string };

/** A repository inside this one; only its own trees can hold its work. */
export type InnerRepository = Extract<Change, { type: 'submodule' | 'repository' }>;

const GONE = '000000';
const GITLINK = '160000';

const ORDINARY =
  /^1 (?<columns>..) (?<submodule>....) (?<inHead>\d+) \d+ (?<mode>\d+) (?<object>\w+) \w+ (?<path>.*)$/s;
const CONFLICT = /^u .. (?<submodule>....) \d+ \d+ \d+ (?<mode>\d+) \w+ \w+ \w+ (?<path>.*)$/s;

/** One line of `git status --porcelain=v2 --no-renames`; undefined for headers and unknown lines. */
export function readChange(line: string): Change | undefined {
  if (line.startsWith('? ')) return untracked(line.slice(2));
  const { groups } = ORDINARY.exec(line) ?? CONFLICT.exec(line) ?? {};
  if (groups === undefined) return undefined;
  const { columns = '', submodule = '', inHead = GONE, mode, object = '', path = '' } = groups;
  const staged = /^[AMT][^.]$/.test(columns) && { isStagedApart: true };
  if (mode === GONE) return { type: 'deleted', path, ...staged };
  if (mode !== GITLINK) {
    return { type: 'tracked', path, inHead: inHead === GONE ? undefined : { mode: inHead, object }, ...staged };
  }
  const [, commit, modified, added] = submodule;
  return { type: 'submodule', path, isDirty: modified === 'M' || added === 'U', isMoved: commit === 'C' };
}

/** For a path that git does not track. */
export function untracked(path: string): Extract<Change, { type: 'untracked' | 'repository' }> {
  // a folder is only listed as a whole when it is a repository
  const repository = folderPath(path);
  return repository === undefined ? { type: 'untracked', path } : { type: 'repository', path: repository };
}

export interface ChangeList {
  readonly changes: readonly Change[];
  /** The number of untracked files beyond the limit. */
  readonly uncounted: number;
  /** Folders that git could not open. */
  readonly unreadable: readonly string[];
}

/** Submodules inside submodules, deeper than this, count as changed. */
const MAX_DEPTH = 8;

/**
 * Everything in a worktree that differs from HEAD, except ignored files.
 *
 * For a submodule git would run itself there, with the programs that its configuration names. So git only compares its
 * commit, and its changes are listed here, like those of any other repository.
 */
export async function listChanges(
  git: Git,
  { maxUntracked, ...scope }: Partial<IndexScope> & { readonly folder: string; readonly maxUntracked: number },
  depth = 0,
): Promise<ChangeList> {
  const changes: Change[] = [];
  const moved = new Set<string>();
  let files = 0;
  const end = await git.run({
    ...scope,
    args: ['status', '--porcelain=v2', '--untracked-files=all', '--no-renames', '--ignore-submodules=dirty'],
    onLine: (line) => {
      const change = readChange(line);
      if (change?.type === 'untracked' && ++files > maxUntracked) return;
      if (change?.type !== 'submodule') changes.push(...(change ? [change] : []));
      else if (change.isMoved) moved.add(change.path);
    },
  });
  if (end.type === 'failed') throw new GitError(end);
  const submodules = await submodulePaths(git, scope.folder, scope.indexFile);
  for (const path of new Set([...moved, ...submodules])) {
    const isMoved = moved.has(path);
    const isDirty = await hasChanges(git, absolutePath(scope.folder, path).toString('utf8'), depth + 1);
    if (isDirty || isMoved) changes.push({ type: 'submodule', path, isDirty, isMoved });
  }
  const unreadable = end.stderr.matchAll(/^warning: could not open directory '(.*)\/?': /gm);
  const uncounted = Math.max(0, files - maxUntracked);
  return { changes, uncounted, unreadable: [...unreadable].map(([, path = '']) => path) };
}

/** The submodules in an index. */
export const submodulePaths = (git: Git, folder: string, indexFile?: string): Promise<string[]> =>
  readLines(git, { folder, args: ['ls-files', '--stage'], indexFile }, (line) =>
    line.startsWith(GITLINK) ? pathOfEntry(line) : undefined,
  );

/** A submodule that is not checked out is an empty folder without changes. */
async function hasChanges(git: Git, folder: string, depth: number): Promise<boolean> {
  if (!existsSync(join(folder, '.git'))) return false;
  if (depth > MAX_DEPTH) return true;
  // without filters, which may be any program
  const settings = await filterSettings(git, folder);
  const listed = await listChanges(git, { folder, maxUntracked: 1, settings }, depth).catch(() => undefined);
  // a repository that git refuses is reported when its work is kept
  return listed === undefined || listed.changes.length > 0 || listed.uncounted > 0;
}
