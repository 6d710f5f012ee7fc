import { realpath } from 'node:fs/promises';
import { join } from 'node:path';
import { shellWord } from '../system/shellWords.ts';
import { type BuiltTree, buildTree } from './buildTree.ts';
import type { InnerRepository } from './changes.ts';
import { DEFAULT_LIMITS, type SnapshotLimits } from './chooseFiles.ts';
import { headTree } from './commitObject.ts';
import type { Filters } from './filters.ts';
import { failureOf, type Git } from './git.ts';
import { keepSnapshot } from './keepSnapshot.ts';
import { describeLeftOut, type LeftOut } from './leftOut.ts';
import { emptyFolders, specialFiles } from './notListed.ts';
import { pathBytes, shownPath } from './quotedPath.ts';
import { recordModes } from './recordedModes.ts';
import { recoverCommand } from './snapshotRef.ts';
import { diffTrees } from './treeDiff.ts';
import { findWorkTree, type NoWorkTree, type WorkTree } from './workTree.ts';

export interface SnapshotRequest {
  /** Any folder of the worktree; all of it is kept. */
  readonly folder: string;
  /** Refuse a folder that is not the top of its worktree: another repository was meant. */
  readonly mustBeTopLevel?: boolean;
  /** From `snapshotRef(id)`; nothing under `refs/heads` or `refs/tags`. */
  readonly ref: string;
  readonly message: string;
  /** What the work was done for, and when in its run. */
  readonly from?: string;
  readonly stage?: string;
  readonly limits?: Partial<SnapshotLimits>;
  /** The tree when the work began: its files are kept even if git ignores them now. */
  readonly start?: string | undefined;
  /** Default: `run`; see `filters.ts`. */
  readonly filters?: Filters;
}

/** The snapshot of a repository inside the requested one. */
export interface InnerSnapshot {
  readonly path: string;
  readonly kind: InnerRepository['type'];
  readonly snapshot: Snapshot;
  /** Paths relative to the outer repository. */
  readonly leftOut: readonly LeftOut[];
}

export interface Surroundings {
  readonly leftOut: readonly LeftOut[];
  readonly inside: readonly InnerSnapshot[];
  readonly notes: readonly string[];
}

export type Snapshot =
  | ({
      readonly type: 'kept';
      readonly ref: string;
      readonly commit: string;
      /** HEAD at that time; undefined in a repository without commits. */
      readonly parent: string | undefined;
      /** False when an earlier snapshot at this ref already holds the same. */
      readonly isNew: boolean;
      readonly tree: string;
      readonly changedFiles: number;
      /** Files whose staged version differs from what is in the file. */
      readonly stagedFiles: number;
      readonly recover: string;
    } & Surroundings)
  | ({ readonly type: 'nothingToKeep' } & Surroundings)
  | NoWorkTree;

/**
 * Keeps everything uncommitted in a worktree in a commit that only `ref` points to. Branch, index, files and stash stay
 * as they are; no hook of the repository runs.
 *
 * Snapshots at one ref form a chain (`keepSnapshot.ts`), so that earlier ones are not lost. A staged version that differs
 * from its file is kept as well.
 */
export async function snapshotWorkTree(git: Git, request: SnapshotRequest, depth = 0): Promise<Snapshot> {
  if (!/^refs\/(?!heads\/|tags\/|remotes\/)./.test(request.ref)) {
    return { type: 'failed', reason: `${request.ref} is not a name for a snapshot: it would be a branch or a tag.` };
  }
  const workTree = await findWorkTree(git, request.folder);
  if (workTree.type !== 'workTree') return workTree;
  if (request.mustBeTopLevel && workTree.topLevel !== (await realpath(request.folder))) {
    return { type: 'notARepository', reason: `${request.folder} belongs to the repository at ${workTree.topLevel}.` };
  }
  const limits = { ...DEFAULT_LIMITS, ...request.limits };
  try {
    const { filters = 'run', start } = request;
    const built = await buildTree(git, { workTree, limits, filters, bytes: 'raw', start });
    const inside = await snapshotInside(git, { ...request, folder: workTree.topLevel }, built.inner, depth);
    return await keep(git, { request, workTree, built, inside });
  } catch (error) {
    return failureOf(error);
  }
}

/** What was read of a worktree for a snapshot or a commit. */
export interface Keeping<Request> {
  readonly request: Request;
  readonly workTree: WorkTree;
  readonly built: BuiltTree;
  readonly inside: readonly InnerSnapshot[];
}

async function keep(git: Git, { workTree, built, inside, request }: Keeping<SnapshotRequest>): Promise<Snapshot> {
  const { topLevel, head } = workTree;
  const named = new Set(built.leftOut.map(({ path }) => path));
  const special = (await specialFiles(git, topLevel)).filter(({ path }) => !named.has(path));
  const own = [...built.leftOut, ...special];
  const leftOut = [...own, ...inside.flatMap(({ leftOut: inner }) => inner)];
  const committed = await headTree(git, workTree);
  const tree = built.tree ?? committed;
  const staged = built.indexTree === undefined ? [] : built.stagedApart;
  if (tree === committed && staged.length === 0) return { type: 'nothingToKeep', leftOut, inside, notes: built.notes };
  const folders = await emptyFolders(git, topLevel);
  const { ref, from, stage } = request;
  const changes = await diffTrees(git, topLevel, [committed, tree]).catch(() => undefined);
  const modes = recordModes(built.permissions);
  const kept = await keepSnapshot(git, {
    workTree,
    ref,
    message: [request.message, ...built.notes, ...own.map(describeLeftOut)].join('\n\n'),
    tree,
    indexTree: staged.length > 0 ? built.indexTree : undefined,
    record: {
      ...{ base: head, branch: workTree.branch, from, stage, bytes: 'raw', modes, staged, emptyFolders: folders },
      inside: inside.filter(({ snapshot }) => snapshot.type === 'kept').map(({ path }) => path),
    },
  });
  if (kept.type === 'failed') return kept;
  const { commit, isNew } = kept;
  return {
    ...{ type: 'kept', ref, commit, isNew, parent: head, tree, leftOut, inside },
    changedFiles: changes?.size ?? built.changedFiles,
    stagedFiles: staged.length,
    recover: recoverCommand(ref),
    notes: [...built.notes, ...stagedNotes(staged, kept.index), ...folderNotes(folders)],
  };
}

const MAX_NAMED = 5;

function stagedNotes(paths: readonly string[], index: string | undefined): readonly string[] {
  const commit = index?.slice(0, 10);
  const named = paths.slice(0, MAX_NAMED).map((path) => {
    return `the staged version of ${shownPath(path)} differs from the file and is kept too: git show ${shellWord(`${commit}:${shownPath(path)}`)}`;
  });
  const more = paths.length - named.length;
  return more > 0 ? [...named, `${more} more staged versions are kept in commit ${commit}`] : named;
}

function folderNotes(folders: readonly string[]): readonly string[] {
  if (folders.length === 0) return [];
  const names = folders.slice(0, MAX_NAMED).map(shownPath).join(', ');
  const more = folders.length > MAX_NAMED ? `, and ${folders.length - MAX_NAMED} more` : '';
  return [`empty ${folders.length === 1 ? 'folder' : 'folders'} kept by name: ${names}${more}`];
}

const MAX_DEPTH = 4;
const MAX_INNER = 50;

/**
 * A tree holds only the commit of a submodule, and nothing of another repository inside. So each keeps its own work, at
 * the same ref in its own repository; the rest is reported as left out.
 */
export async function snapshotInside(
  git: Git,
  request: SnapshotRequest,
  repositories: readonly InnerRepository[],
  depth = 0,
): Promise<readonly InnerSnapshot[]> {
  const snapshots: InnerSnapshot[] = [];
  for (const [index, inner] of repositories.entries()) {
    const folder = join(request.folder, pathBytes(inner.path).toString('utf8'));
    // the user configured the submodule; the origin of another repository is unknown
    const filters = inner.type === 'repository' ? 'off' : (request.filters ?? 'run');
    // `start` is of the outer repository
    const wish = { ...request, start: undefined, folder, filters, mustBeTopLevel: true };
    const snapshot: Snapshot =
      depth >= MAX_DEPTH || index >= MAX_INNER
        ? { type: 'failed', reason: 'There are too many repositories inside one another.' }
        : await snapshotWorkTree(git, wish, depth + 1);
    const path = shownPath(inner.path);
    snapshots.push({ path, kind: inner.type, snapshot, leftOut: missing(path, inner, snapshot) });
  }
  return snapshots;
}

function missing(path: string, inner: InnerRepository, snapshot: Snapshot): readonly LeftOut[] {
  if (snapshot.type === 'failed' || snapshot.type === 'notARepository') {
    return [{ path, reason: `a repository of its own that could not be kept: ${snapshot.reason}` }];
  }
  const within = snapshot.leftOut.map(({ path: name, reason }) => ({ path: `${path}/${name}`, reason }));
  if (inner.type === 'submodule') return within;
  const where = snapshot.type === 'kept' ? `its work is at ${snapshot.ref} in it` : 'nothing in it is uncommitted';
  return [{ path, reason: `a git repository of its own, not a submodule; ${where}` }, ...within];
}
