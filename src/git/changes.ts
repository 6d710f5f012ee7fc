import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { filterSettings } from './filters.ts';
import { type Git, type GitFailure, readLines } from './git.ts';
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

/** One line of `git status --porcelain=v2 --no-renames`; undefined for headers and unknown lines. */
export function readChange(line: string): Change | undefined {
  if (line.startsWith('? ')) return untracked(line.slice(2));
  const fields = line.split(' ');
  if (fields[0] === '1') {
    const [, columns = '', submodule = '', inHead = '', , mode = '', object = ''] = fields;
    const head = inHead === GONE ? undefined : { mode: inHead, object };
    const isStagedApart = /^[AMT][^.]$/.test(columns);
    return tracked({ submodule, mode, inHead: head, path: fields.slice(8).join(' '), isStagedApart });
  }
  if (fields[0] === 'u') {
    const [, , submodule = '', , , , mode = ''] = fields;
    return tracked({ submodule, mode, inHead: undefined, path: fields.slice(10).join(' '), isStagedApart: false });
  }
  return undefined;
}

/** For a path that git does not track. */
export function untracked(path: string): Extract<Change, { type: 'untracked' | 'repository' }> {
  // a folder is only listed as a whole when it is a repository
  const repository = folderPath(path);
  return repository === undefined ? { type: 'untracked', path } : { type: 'repository', path: repository };
}

interface TrackedFields {
  readonly submodule: string;
  readonly mode: string;
  readonly inHead: Extract<Change, { type: 'tracked' }>['inHead'];
  readonly path: string;
  readonly isStagedApart: boolean;
}

function tracked({ submodule, mode, inHead, path, isStagedApart }: TrackedFields): Change {
  const staged = isStagedApart ? { isStagedApart } : {};
  if (mode === GONE) return { type: 'deleted', path, ...staged };
  if (mode !== GITLINK) return { type: 'tracked', path, inHead, ...staged };
  const [, commit, modified, added] = submodule;
  return { type: 'submodule', path, isDirty: modified === 'M' || added === 'U', isMoved: commit === 'C' };
}

export interface ChangeList {
  readonly changes: readonly Change[];
  /** The number of untracked files beyond the limit. */
  readonly uncounted: number;
  /** Folders that git could not open. */
  readonly unreadable: readonly string[];
}

export interface ListRequest {
  readonly topLevel: string;
  readonly maxUntracked: number;
  readonly indexFile?: string | undefined;
  readonly settings?: Readonly<Record<string, string>> | undefined;
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
  { topLevel, maxUntracked, indexFile, settings }: ListRequest,
  depth = 0,
): Promise<({ readonly type: 'listed' } & ChangeList) | GitFailure> {
  const changes: Change[] = [];
  const moved = new Map<string, Submodule>();
  let files = 0;
  const end = await git.run({
    folder: topLevel,
    args: ['status', '--porcelain=v2', '--untracked-files=all', '--no-renames', '--ignore-submodules=dirty'],
    indexFile,
    settings,
    onLine: (line) => {
      const change = readChange(line);
      if (change?.type === 'untracked' && ++files > maxUntracked) return;
      if (change && change.type !== 'submodule') changes.push(change);
      else if (change) moved.set(change.path, change);
    },
  });
  if (end.type === 'failed') return end;
  const inside = await changedSubmodules(git, { topLevel, indexFile, moved, depth });
  if (inside.type === 'failed') return inside;
  const uncounted = Math.max(0, files - maxUntracked);
  return { type: 'listed', changes: [...changes, ...inside.found], uncounted, unreadable: unreadable(end.stderr) };
}

function unreadable(stderr: string): readonly string[] {
  return [...stderr.matchAll(/^warning: could not open directory '(.*)\/?': /gm)].map(([, path = '']) => path);
}

type Submodule = Extract<Change, { type: 'submodule' }>;

interface SubmoduleRequest {
  readonly topLevel: string;
  readonly indexFile: string | undefined;
  /** Those at another commit than the index has. */
  readonly moved: ReadonlyMap<string, Submodule>;
  readonly depth: number;
}

async function changedSubmodules(
  git: Git,
  { topLevel, indexFile, moved, depth }: SubmoduleRequest,
): Promise<{ readonly type: 'found'; readonly found: readonly Submodule[] } | GitFailure> {
  const listed = await submodulePaths(git, topLevel, indexFile);
  if (!Array.isArray(listed)) return listed;
  const found: Submodule[] = [];
  for (const path of new Set([...moved.keys(), ...listed])) {
    const isDirty = await hasChanges(git, absolutePath(topLevel, path).toString('utf8'), depth + 1);
    const isMoved = moved.get(path)?.isMoved ?? false;
    if (isDirty || isMoved) found.push({ type: 'submodule', path, isDirty, isMoved });
  }
  return { type: 'found', found };
}

/** The submodules in an index. */
export const submodulePaths = (git: Git, folder: string, indexFile?: string): Promise<string[] | GitFailure> =>
  readLines(git, { folder, args: ['ls-files', '--stage'], indexFile }, (line) =>
    line.startsWith(GITLINK) ? line.slice(line.indexOf('\t') + 1) : undefined,
  );

/** A submodule that is not checked out is an empty folder without changes. */
async function hasChanges(git: Git, folder: string, depth: number): Promise<boolean> {
  if (!existsSync(join(folder, '.git'))) return false;
  if (depth > MAX_DEPTH) return true;
  // without filters, which may be any program
  const settings = await filterSettings(git, folder);
  const listed = await listChanges(git, { topLevel: folder, maxUntracked: 1, settings }, depth);
  // a repository that git refuses is reported when its work is kept
  return listed.type === 'failed' || listed.changes.length > 0 || listed.uncounted > 0;
}
