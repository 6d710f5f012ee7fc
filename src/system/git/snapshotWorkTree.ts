import { realpath } from 'node:fs/promises';
import { type BuiltTree, buildTree } from './buildTree.ts';
import { DEFAULT_LIMITS, type SnapshotLimits } from './chooseFiles.ts';
import { isCommitted, moveRef, OWN_IDENTITY, readRef, writeCommit } from './commitObject.ts';
import type { Filters } from './filters.ts';
import type { Git } from './git.ts';
import { type InnerSnapshot, snapshotInside } from './innerSnapshots.ts';
import { describeLeftOut, type LeftOut } from './leftOut.ts';
import { recoverCommand } from './snapshotRef.ts';
import { findWorkTree, type WorkTree } from './workTree.ts';

export interface SnapshotRequest {
  /** Any folder of the work tree; all of it is kept. */
  readonly folder: string;
  /** Refuse a folder that is not the top of its work tree: it is not the repository that was meant. */
  readonly mustBeTopLevel?: boolean;
  /** From `snapshotRef(id)`; nothing under `refs/heads` or `refs/tags`. */
  readonly ref: string;
  readonly message: string;
  readonly limits?: Partial<SnapshotLimits>;
  /** `run` unless told; see `filters.ts`. */
  readonly filters?: Filters;
}

interface Surroundings {
  readonly leftOut: readonly LeftOut[];
  readonly inside: readonly InnerSnapshot[];
  readonly notes: readonly string[];
}

export type Snapshot =
  | ({
      readonly type: 'kept';
      readonly ref: string;
      readonly commit: string;
      /** HEAD at that moment; none in a repository without commits. */
      readonly parent: string | undefined;
      /** False when an earlier snapshot at this ref already holds the very same. */
      readonly isNew: boolean;
      readonly changedFiles: number;
      readonly recover: string;
    } & Surroundings)
  | ({ readonly type: 'nothingToKeep' } & Surroundings)
  | { readonly type: 'notARepository'; readonly reason: string }
  | { readonly type: 'failed'; readonly reason: string };

const MAX_RACES = 5;

/**
 * Keeps everything in a work tree that is not committed, in a commit that only `ref` points to. Branch, index, files and
 * stash stay as they are, whatever state they are in; no hook of the repository runs.
 *
 * Snapshots at one ref are a chain: each has HEAD as its first parent and the one before as its second, so that nothing
 * kept earlier is lost by keeping more.
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
    const built = await buildTree(git, { workTree, limits, filters: request.filters ?? 'run' });
    if (built.type === 'failed') return { type: 'failed', reason: built.reason };
    const inside = await snapshotInside({ git, request, topLevel: workTree.topLevel, built, depth, snapshotWorkTree });
    return await keep(git, { request, workTree, built, inside });
  } catch (error) {
    // the file system's own words: a full or unwritable temporary folder, an index that may not be read
    return { type: 'failed', reason: `${error instanceof Error ? error.message : String(error)}.` };
  }
}

interface Keeping {
  readonly request: SnapshotRequest;
  readonly workTree: WorkTree;
  readonly built: BuiltTree;
  readonly inside: readonly InnerSnapshot[];
}

async function keep(git: Git, keeping: Keeping): Promise<Snapshot> {
  const { workTree, built, inside, request } = keeping;
  const { leftOut, notes, tree } = built;
  const surroundings = { leftOut: [...leftOut, ...inside.flatMap(({ leftOut: inner }) => inner)], inside, notes };
  if (tree === undefined || (await isCommitted(git, workTree, tree))) return { type: 'nothingToKeep', ...surroundings };
  const pointed = await pointRef(git, keeping, tree);
  if (pointed.type === 'failed') return pointed;
  return {
    ...pointed,
    ref: request.ref,
    parent: workTree.head,
    changedFiles: built.changedFiles,
    recover: recoverCommand(workTree.topLevel, request.ref),
    ...surroundings,
  };
}

type Pointed =
  | { readonly type: 'kept'; readonly commit: string; readonly isNew: boolean }
  | { readonly type: 'failed'; readonly reason: string };

/** Compare and swap: whoever else kept something at this ref in between comes into the chain, not out of it. */
async function pointRef(git: Git, { request, workTree, built }: Keeping, tree: string): Promise<Pointed> {
  const { topLevel: folder, head } = workTree;
  const message = [request.message, ...built.notes, ...built.leftOut.map(describeLeftOut)].join('\n\n');
  let reason = '';
  for (let race = 0; race < MAX_RACES; race++) {
    const before = await readRef(git, folder, request.ref);
    if (before?.tree === tree) return { type: 'kept', commit: before.commit, isNew: false };
    const parents = [head, before?.commit].filter((commit) => commit !== undefined);
    const written = await writeCommit(git, { folder, tree, parents, message, identity: OWN_IDENTITY });
    if (written.type === 'failed') return { type: 'failed', reason: written.reason };
    const commit = written.stdout.trim();
    const moved = await moveRef(git, { folder, ref: request.ref, commit, from: before?.commit, why: 'snapshot' });
    if (moved.type === 'done') return { type: 'kept', commit, isNew: true };
    reason = moved.reason;
    if ((await readRef(git, folder, request.ref))?.commit === before?.commit) break;
  }
  return { type: 'failed', reason };
}
