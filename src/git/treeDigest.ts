import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { type ChangeList, listChanges } from './changes.ts';
import { emptyBelow } from './emptyFolders.ts';
import { filterSettings } from './filters.ts';
import { folderDigest, MAX_ENTRIES } from './folderDigest.ts';
import type { Git, GitFailure } from './git.ts';
import { type Mirror, mirrorFolder, openMirror } from './mirror.ts';
import { listMirrorChanges } from './mirrorChanges.ts';
import { pathBytes } from './quotedPath.ts';
import { repeatCutShort } from './repeatCutShort.ts';
import { repositoryState } from './repositoryState.ts';
import { addUnlisted, type Bounds, type States, scopeOf, statesOf } from './treeStates.ts';
import { findWorkTree, type WorkTree } from './workTree.ts';

export type TreeDigest =
  | {
      readonly type: 'digest';
      /** Another value whenever a file changes. */
      readonly digest: string;
      /** Another value whenever anything else changes that a program in the worktree can see; null when that is not known. */
      readonly surroundings: string | null;
      /** Why it is not known. */
      readonly problem: string | null;
      readonly head: string | null;
      readonly topLevel: string;
    }
  /** There is none, or none that would change with every file. */
  | { readonly type: 'failed'; readonly reason: string };

export interface DigestLimits {
  /** Larger files, and files after so many bytes or files, count by size, times and number instead of content. */
  readonly fileBytes: number;
  readonly totalBytes: number;
  readonly files: number;
}

export interface DigestRequest {
  readonly folder: string;
  /** Where records of our own are kept; left out, git's index and configuration are believed. */
  readonly mirrors?: string | undefined;
  /** A commit: what a .gitignore hides that is not as this commit has it counts, also when it was committed since. */
  readonly since?: string | undefined;
  readonly limits?: Partial<DigestLimits>;
}

const DEFAULT_LIMITS: DigestLimits = {
  fileBytes: 16_000_000,
  totalBytes: 256_000_000,
  files: 10_000,
};
const MAX_UNTRACKED = 100_000;

/**
 * The digest is another value whenever HEAD moves or a file that git does not ignore changes; the same value otherwise,
 * whatever is staged or touched. Writes nothing into the repository.
 *
 * With `mirrors` an agent that changes the index, the configuration or the exclude lists changes nothing here (see
 * `mirror.ts`), at the cost of reading a worktree whole when it is seen for the first time; permissions and what links
 * lead to count as well, and the surroundings (index, refs, configuration, empty folders) have a digest of their own.
 * Without, it is `git status` and the content of what that lists. Outside a repository it is names, sizes and times, see
 * `folderDigest`.
 */
export async function treeDigest(
  git: Git,
  { folder, mirrors, since, limits = {} }: DigestRequest,
): Promise<TreeDigest> {
  return digestOf(git, folder, { ...DEFAULT_LIMITS, ...limits, mirrors, since, depth: 0 });
}

async function digestOf(git: Git, folder: string, bounds: Bounds): Promise<TreeDigest> {
  const workTree = await findWorkTree(git, folder);
  if (workTree.type === 'failed') return workTree;
  // a repository inside that is none any more: the outer one would be looked at again, from within
  if (workTree.type === 'notARepository' || (bounds.depth > 0 && workTree.topLevel !== folder)) {
    return plainDigest(folder);
  }
  // beside the listing, which is another program's work
  const repository = bounds.mirrors === undefined ? undefined : stateBeside(git, workTree, bounds.mirrors);
  const listed = await list(git, workTree, bounds);
  if (listed.type === 'failed') return { type: 'failed', reason: listed.reason };
  if (bounds.mirrors !== undefined && listed.uncounted > 0) {
    return { type: 'failed', reason: `More than ${MAX_UNTRACKED} files are neither tracked nor ignored by git.` };
  }
  const scope = scopeOf({ git, workTree, bounds, digestOf });
  const states = await statesOf(listed.changes, scope);
  if (listed.mirror) {
    const failed = await addUnlisted(listed.mirror, { ...listed, states, scope });
    if (failed) return { type: 'failed', reason: failed.reason };
    await listed.mirror.recordEqual(states.equal);
  }
  if (states.unknown !== undefined) return { type: 'failed', reason: states.unknown };
  const hash = createHash('sha256').update(`${workTree.head}\0${listed.uncounted}\0`);
  // staging a new file moves it in git's list, and is no change of content
  for (const [path, state] of [...states.differing].toSorted(([a], [b]) => (a < b ? -1 : 1))) {
    hash.update(pathBytes(path)).update(`\0${state}\0`);
  }
  const around = repository === undefined ? NOT_ASKED : await surroundingsOf(workTree, { listed, states, repository });
  return {
    type: 'digest',
    digest: hash.digest('hex'),
    ...around,
    head: workTree.head ?? null,
    topLevel: workTree.topLevel,
  };
}

type StateBeside = ReturnType<typeof stateBeside>;

const stateBeside = (git: Git, workTree: WorkTree, mirrors: string) =>
  repositoryState(git, workTree, join(mirrorFolder({ mirrors, topLevel: workTree.topLevel }), 'staged'));

interface Around {
  readonly surroundings: string | null;
  readonly problem: string | null;
}

const NOT_ASKED: Around = { surroundings: null, problem: null };

/** What a program in the worktree can see beside the files. */
async function surroundingsOf(
  { topLevel }: WorkTree,
  {
    listed,
    states,
    repository,
  }: { readonly listed: Listed; readonly states: States; readonly repository: StateBeside },
): Promise<Around> {
  const [state, empty] = await Promise.all([repository, emptyBelow(topLevel, listed.folders)]);
  if (state.type === 'failed') return { surroundings: null, problem: state.reason };
  if (states.problem !== undefined) return { surroundings: null, problem: states.problem };
  const hidden = new Set(listed.ignored.map((path) => path.replace(/\/("?)$/, '$1')));
  const folders = empty.filter((path) => !hidden.has(path));
  const all = JSON.stringify([state.digest, folders, states.inner]);
  return { surroundings: createHash('sha256').update(all).digest('hex'), problem: null };
}

async function plainDigest(folder: string): Promise<TreeDigest> {
  const { digest, isWhole } = await folderDigest(folder);
  if (isWhole) return { type: 'digest', digest, surroundings: '', problem: null, head: null, topLevel: folder };
  return { type: 'failed', reason: `${folder} is not in a git repository and has more than ${MAX_ENTRIES} files.` };
}

type Listed = ChangeList & {
  readonly type: 'listed';
  readonly mirror: Mirror | undefined;
  readonly ignored: readonly string[];
  readonly folders: readonly string[];
};

async function list(
  git: Git,
  workTree: WorkTree,
  { mirrors }: Bounds,
): Promise<Listed | GitFailure> {
  const { topLevel, head } = workTree;
  const bound = { maxUntracked: MAX_UNTRACKED };
  if (mirrors === undefined) {
    // what is on disk counts, and a filter may be slow, missing, or a foreign program
    const settings = await filterSettings(git, topLevel);
    const listed = await repeatCutShort(undefined, () => listChanges(git, { topLevel, ...bound, settings }));
    return listed.type === 'failed' ? listed : { ...listed, mirror: undefined, ignored: [], folders: [] };
  }
  const opened = await openMirror(git, { mirrors, topLevel, head });
  if (opened.type === 'failed') return opened;
  const listed = await listMirrorChanges(opened.mirror, bound);
  return listed.type === 'failed' ? listed : { ...listed, mirror: opened.mirror };
}
