import { createHash, type Hash } from 'node:crypto';
import { type Change, listChanges } from './changes.ts';
import { type Budget, fileState } from './fileState.ts';
import { filterSettings } from './filters.ts';
import { folderDigest } from './folderDigest.ts';
import type { Git } from './git.ts';
import { absolutePath, pathBytes } from './quotedPath.ts';
import { repeatCutShort } from './repeatCutShort.ts';
import { findWorkTree } from './workTree.ts';

export type TreeDigest =
  | { readonly type: 'digest'; readonly digest: string }
  | { readonly type: 'failed'; readonly reason: string };

export interface DigestLimits {
  /** Larger files, and files after so many bytes or files, count by size, time and number instead of content. */
  readonly fileBytes: number;
  readonly totalBytes: number;
  readonly files: number;
}

const DEFAULT_LIMITS: DigestLimits = { fileBytes: 16_000_000, totalBytes: 256_000_000, files: 10_000 };
const MAX_UNTRACKED = 100_000;
const MAX_DEPTH = 4;

/**
 * Another value whenever HEAD moves or a file that git does not ignore changes; the same value otherwise, whatever is
 * staged or touched. Writes nothing at all.
 *
 * `git status` and the content of what it lists, not a tree by way of a private index: with 20,000 files, 20 of them
 * changed, 26 ms against 45, and no objects. Outside a repository it is names, sizes and times, see `folderDigest`.
 */
export async function treeDigest(
  git: Git,
  { folder, limits = {} }: { readonly folder: string; readonly limits?: Partial<DigestLimits> },
): Promise<TreeDigest> {
  const bounds = { ...DEFAULT_LIMITS, ...limits };
  return digestOf(git, folder, { ...bounds, depth: 0 });
}

type Bounds = DigestLimits & { readonly depth: number };

async function digestOf(git: Git, folder: string, bounds: Bounds): Promise<TreeDigest> {
  const workTree = await findWorkTree(git, folder);
  if (workTree.type === 'failed') return workTree;
  if (workTree.type === 'notARepository') return { type: 'digest', digest: await folderDigest(folder) };
  const { topLevel, head } = workTree;
  // a repository inside that is none any more: the outer one would be looked at again, from within
  if (bounds.depth > 0 && topLevel !== folder) return { type: 'failed', reason: 'not a repository of its own' };
  // what is on disk counts, and a filter may be slow, missing, or somebody else's program
  const settings = await filterSettings(git, topLevel);
  const listed = await repeatCutShort(undefined, () =>
    listChanges(git, { topLevel, maxUntracked: MAX_UNTRACKED, settings }),
  );
  if (listed.type === 'failed') return { type: 'failed', reason: listed.reason };
  const hash = createHash('sha256').update(`${head}\0${listed.uncounted}\0`);
  const budget: Budget = { fileBytes: bounds.fileBytes, bytes: bounds.totalBytes, files: bounds.files };
  // staging a new file moves it in git's list, and is no change of content
  for (const change of listed.changes.toSorted((a, b) => (a.path < b.path ? -1 : 1))) {
    await addChange(hash, change, { git, topLevel, budget, bounds });
  }
  return { type: 'digest', digest: hash.digest('hex') };
}

interface Scope {
  readonly git: Git;
  readonly topLevel: string;
  readonly budget: Budget;
  readonly bounds: Bounds;
}

async function addChange(hash: Hash, change: Change, scope: Scope): Promise<void> {
  const state = await stateOf(change, scope);
  if (state !== undefined) hash.update(pathBytes(change.path)).update(`\0${state}\0`);
}

/** Undefined when the file is as HEAD has it after all: something else is staged, and nothing on disk is different. */
async function stateOf(change: Change, { git, topLevel, budget, bounds }: Scope): Promise<string | undefined> {
  if (change.type === 'deleted') return 'deleted';
  if (change.type === 'submodule' || change.type === 'repository') {
    if (bounds.depth >= MAX_DEPTH) return 'too deep';
    const folder = absolutePath(topLevel, change.path).toString('utf8');
    const inner = await digestOf(git, folder, { ...bounds, depth: bounds.depth + 1 });
    return inner.type === 'digest' ? inner.digest : inner.reason;
  }
  const inHead = change.type === 'tracked' ? change.inHead : undefined;
  return fileState(absolutePath(topLevel, change.path), { budget, inHead });
}
