import { createHash } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import { type Change, type ChangeList, listChanges } from './changes.ts';
import { type Budget, fileState } from './fileState.ts';
import { filterSettings } from './filters.ts';
import { folderDigest, MAX_ENTRIES } from './folderDigest.ts';
import type { Git, GitEnd } from './git.ts';
import { type Mirror, openMirror } from './mirror.ts';
import { hiddenByNewRules, listMirrorChanges } from './mirrorChanges.ts';
import { absolutePath, pathBytes } from './quotedPath.ts';
import { repeatCutShort } from './repeatCutShort.ts';
import { findWorkTree, type WorkTree } from './workTree.ts';

export type TreeDigest =
  | { readonly type: 'digest'; readonly digest: string }
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
  readonly limits?: Partial<DigestLimits>;
}

const DEFAULT_LIMITS: DigestLimits = {
  fileBytes: 16_000_000,
  totalBytes: 256_000_000,
  files: 10_000,
};
/** Tracked files are read once, when a mirror is new, and then only when they were touched. */
const TRACKED = { bytes: 2_000_000_000, files: 500_000 };
const MAX_UNTRACKED = 100_000;
const MAX_DEPTH = 4;
/** After so many files whatever else waits in this process has its turn. */
const FILES_IN_A_ROW = 256;

/**
 * Another value whenever HEAD moves or a file that git does not ignore changes; the same value otherwise, whatever is
 * staged or touched. Writes nothing into the repository.
 *
 * With `mirrors` an agent that changes the index, the configuration or the exclude lists changes nothing here (see
 * `mirror.ts`), at the cost of reading a worktree whole when it is seen for the first time. Without, it is `git status`
 * and the content of what that lists. Outside a repository it is names, sizes and times, see `folderDigest`.
 */
export async function treeDigest(git: Git, { folder, mirrors, limits = {} }: DigestRequest): Promise<TreeDigest> {
  return digestOf(git, folder, { ...DEFAULT_LIMITS, ...limits, mirrors, depth: 0 });
}

type Bounds = DigestLimits & { readonly depth: number; readonly mirrors: string | undefined };

async function digestOf(git: Git, folder: string, bounds: Bounds): Promise<TreeDigest> {
  const workTree = await findWorkTree(git, folder);
  if (workTree.type === 'failed') return workTree;
  // a repository inside that is none any more: the outer one would be looked at again, from within
  const isOther = workTree.type === 'notARepository' || (bounds.depth > 0 && workTree.topLevel !== folder);
  if (isOther) return plainDigest(folder);
  const listed = await list(git, workTree, bounds);
  if (listed.type === 'failed') return { type: 'failed', reason: listed.reason };
  if (bounds.mirrors !== undefined && listed.uncounted > 0) {
    return { type: 'failed', reason: `More than ${MAX_UNTRACKED} files are neither tracked nor ignored by git.` };
  }
  const budget: Budget = { fileBytes: bounds.fileBytes, bytes: bounds.totalBytes, files: bounds.files };
  const scope: Scope = { git, workTree, bounds, budget, trackedBudget: { ...budget, ...TRACKED } };
  const states = await statesOf(listed.changes, scope);
  if (listed.mirror) {
    const hidden = await addHidden(listed.mirror, { ignored: listed.ignored, states, scope });
    if (hidden?.type === 'failed') return { type: 'failed', reason: hidden.reason };
    await listed.mirror.recordEqual(states.equal);
  }
  if (states.unknown !== undefined) return { type: 'failed', reason: states.unknown };
  const hash = createHash('sha256').update(`${workTree.head}\0${listed.uncounted}\0`);
  // staging a new file moves it in git's list, and is no change of content
  for (const [path, state] of [...states.differing].toSorted(([a], [b]) => (a < b ? -1 : 1))) {
    hash.update(pathBytes(path)).update(`\0${state}\0`);
  }
  return { type: 'digest', digest: hash.digest('hex') };
}

async function plainDigest(folder: string): Promise<TreeDigest> {
  const { digest, isWhole } = await folderDigest(folder);
  if (isWhole) return { type: 'digest', digest };
  return { type: 'failed', reason: `${folder} is not in a git repository and has more than ${MAX_ENTRIES} files.` };
}

type Listed = ChangeList & {
  readonly type: 'listed';
  readonly mirror: Mirror | undefined;
  readonly ignored: readonly string[];
};

async function list(
  git: Git,
  workTree: WorkTree,
  { mirrors }: Bounds,
): Promise<Listed | Extract<GitEnd, { type: 'failed' }>> {
  const { topLevel, head } = workTree;
  const bound = { maxUntracked: MAX_UNTRACKED };
  if (mirrors === undefined) {
    // what is on disk counts, and a filter may be slow, missing, or somebody else's program
    const settings = await filterSettings(git, topLevel);
    const listed = await repeatCutShort(undefined, () => listChanges(git, { topLevel, ...bound, settings }));
    return listed.type === 'failed' ? listed : { ...listed, mirror: undefined, ignored: [] };
  }
  const opened = await openMirror(git, { mirrors, topLevel, head });
  if (opened.type === 'failed') return opened;
  const listed = await listMirrorChanges(opened.mirror, bound);
  return listed.type === 'failed' ? listed : { ...listed, mirror: opened.mirror };
}

interface Scope {
  readonly git: Git;
  readonly workTree: WorkTree;
  readonly bounds: Bounds;
  readonly budget: Budget;
  readonly trackedBudget: Budget;
}

interface States {
  /** What differs from HEAD, by quoted path. */
  readonly differing: Map<string, string>;
  /** What is as HEAD has it after all: it was touched, or something else is staged. */
  readonly equal: string[];
  /** Why the states are not the whole truth. */
  unknown?: string;
}

async function statesOf(changes: readonly Change[], scope: Scope): Promise<States> {
  const states: States = { differing: new Map(), equal: [] };
  for (const [index, change] of changes.entries()) {
    if (index % FILES_IN_A_ROW === 0) await setImmediate();
    const state = await stateOf(change, scope, states);
    if (state === undefined) states.equal.push(change.path);
    else states.differing.set(change.path, state);
  }
  return states;
}

async function stateOf(change: Change, scope: Scope, states: States): Promise<string | undefined> {
  const { git, workTree, bounds, budget, trackedBudget } = scope;
  if (change.type === 'deleted') return 'deleted';
  const file = absolutePath(workTree.topLevel, change.path);
  if (change.type === 'submodule' || change.type === 'repository') {
    const inner =
      bounds.depth < MAX_DEPTH
        ? await digestOf(git, file.toString('utf8'), { ...bounds, depth: bounds.depth + 1 })
        : { type: 'failed' as const, reason: `Repositories lie more than ${MAX_DEPTH} deep in one another.` };
    if (inner.type === 'digest') return inner.digest;
    if (bounds.mirrors !== undefined) states.unknown = inner.reason;
    return inner.reason;
  }
  if (change.type === 'untracked') return fileState(file, { budget, inHead: undefined });
  return fileState(file, { budget: trackedBudget, inHead: change.inHead });
}

/** Adds what a .gitignore hides that is itself new or changed. */
async function addHidden(
  mirror: Mirror,
  { ignored, states, scope }: { readonly ignored: readonly string[]; readonly states: States; readonly scope: Scope },
): Promise<Extract<GitEnd, { type: 'failed' }> | undefined> {
  const hidden = await hiddenByNewRules(mirror, { ignored, changed: [...states.differing.keys()] });
  if ('type' in hidden) return hidden;
  for (const path of hidden) {
    const file = absolutePath(scope.workTree.topLevel, path);
    if (!/\/"?$/.test(path)) {
      states.differing.set(path, fileState(file, { budget: scope.budget, inHead: undefined }) ?? '');
      continue;
    }
    const inside = await plainDigest(file.toString('utf8'));
    if (inside.type === 'failed') states.unknown = inside.reason;
    else states.differing.set(path, inside.digest);
  }
  return undefined;
}
