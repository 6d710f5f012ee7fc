import { join } from 'node:path';
import type { BuiltTree } from './buildTree.ts';
import type { InnerRepository } from './changes.ts';
import type { Git } from './git.ts';
import type { LeftOut } from './leftOut.ts';
import { pathBytes, shownPath } from './quotedPath.ts';
import type { Snapshot, SnapshotRequest } from './snapshotWorkTree.ts';

/** The snapshot of a repository inside the requested one. */
export interface InnerSnapshot {
  readonly path: string;
  readonly kind: InnerRepository['type'];
  readonly snapshot: Snapshot;
  /** Paths relative to the outer repository. */
  readonly leftOut: readonly LeftOut[];
}

export interface InsideRequest {
  readonly git: Git;
  readonly request: SnapshotRequest;
  readonly topLevel: string;
  readonly built: BuiltTree;
  readonly depth: number;
  readonly snapshotWorkTree: (git: Git, request: SnapshotRequest, depth: number) => Promise<Snapshot>;
}

const MAX_DEPTH = 4;
const MAX_INNER = 50;

/**
 * A tree holds only the commit of a submodule, and nothing of another repository inside. So each keeps its own work, at
 * the same ref in its own repository; the rest is reported as left out.
 */
export async function snapshotInside(inside: InsideRequest): Promise<readonly InnerSnapshot[]> {
  const snapshots: InnerSnapshot[] = [];
  for (const [index, inner] of inside.built.inner.entries()) {
    const snapshot: Snapshot =
      inside.depth >= MAX_DEPTH || index >= MAX_INNER
        ? { type: 'failed', reason: 'There are too many repositories inside one another.' }
        : await snapshotOne(inside, inner);
    const path = shownPath(inner.path);
    snapshots.push({ path, kind: inner.type, snapshot, leftOut: missing(path, inner, snapshot) });
  }
  return snapshots;
}

function snapshotOne({ git, request, topLevel, depth, snapshotWorkTree }: InsideRequest, inner: InnerRepository) {
  const folder = join(topLevel, pathBytes(inner.path).toString('utf8'));
  // the user configured the submodule; the origin of another repository is unknown
  const filters = inner.type === 'repository' ? 'off' : (request.filters ?? 'run');
  // `start` is of the outer repository
  return snapshotWorkTree(git, { ...request, start: undefined, folder, filters, mustBeTopLevel: true }, depth + 1);
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
