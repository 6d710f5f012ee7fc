import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { listChanges } from './changes.ts';
import { filterSettings } from './filters.ts';
import { folderDigest, MAX_ENTRIES } from './folderDigest.ts';
import { failureOf, type Git } from './git.ts';
import { type Mirror, mirrorFolder, openMirror } from './mirror.ts';
import { listMirrorChanges, type MirrorList } from './mirrorChanges.ts';
import { emptyBelow } from './notListed.ts';
import { folderPath, pathBytes } from './quotedPath.ts';
import { repeatCutShort } from './repeatCutShort.ts';
import { repositoryState } from './repositoryState.ts';
import {
  addUnlisted,
  type Bounds,
  type DigestLimits,
  type Reading,
  type States,
  scopeOf,
  statesOf,
  type TreeDigest,
} from './treeStates.ts';
import { type FoundWorkTree, findWorkTree, type WorkTree } from './workTree.ts';

export interface DigestRequest {
  readonly folder: string;
  /** The folder of our own records; without it, git's index and configuration are trusted. */
  readonly mirrors?: string | undefined;
  /** A commit: files that a .gitignore hides count if that .gitignore has changed since. */
  readonly since?: string | undefined;
  readonly limits?: Partial<DigestLimits>;
  /** The worktree of the folder as it is now, for a caller that needs it too. */
  readonly workTree?: Promise<FoundWorkTree> | undefined;
  /** Called before any file is read, with `mirrors`. */
  readonly onReading?: (reading: Reading) => void;
}

const DEFAULT_LIMITS: DigestLimits = { fileBytes: 16_000_000, totalBytes: 256_000_000, files: 10_000 };
const MAX_UNTRACKED = 100_000;

/**
 * The digest changes exactly when HEAD moves or a file that git does not ignore changes, not when files are staged or
 * touched. Writes nothing into the repository.
 *
 * With `mirrors` an agent cannot hide changes by way of the index, the configuration or the exclude lists (see
 * `mirror.ts`), but a new worktree is read whole; permissions and link targets count as well, and the surroundings
 * (index, refs, configuration, empty folders) have their own digest. Without, it is `git status` and the content of the
 * listed files. Outside a repository it is names, sizes and times, see `folderDigest`.
 */
export async function treeDigest(
  git: Git,
  { folder, mirrors, since, limits = {}, workTree = findWorkTree(git, folder), onReading }: DigestRequest,
): Promise<TreeDigest> {
  const bounds = { ...DEFAULT_LIMITS, ...limits, mirrors, since, depth: 0 };
  return digestNow(git, { folder, workTree, onReading }, bounds).catch(failureOf);
}

async function digestOf(git: Git, folder: string, bounds: Bounds): Promise<TreeDigest> {
  return digestNow(git, { folder, workTree: findWorkTree(git, folder) }, bounds).catch(failureOf);
}

interface Place {
  readonly folder: string;
  readonly workTree: Promise<FoundWorkTree>;
  readonly onReading?: DigestRequest['onReading'] | undefined;
}

async function digestNow(git: Git, { folder, workTree: found, onReading }: Place, bounds: Bounds): Promise<TreeDigest> {
  const workTree = await found;
  if (workTree.type === 'failed') return workTree;
  // a repository inside that no longer is one: git would find the outer one again
  if (workTree.type === 'notARepository' || (bounds.depth > 0 && workTree.topLevel !== folder)) {
    return plainDigest(folder);
  }
  const mirror =
    bounds.mirrors === undefined ? undefined : await openMirror(git, { ...workTree, mirrors: bounds.mirrors });
  if (mirror) onReading?.({ ...workTree, beganAt: mirror.now.getTime() });
  const listing = list(git, workTree, mirror);
  // beside the listing, which other processes do and which takes the longest
  const repository = bounds.mirrors === undefined ? undefined : stateBeside(git, workTree, bounds.mirrors);
  const listed = await listing;
  if (bounds.mirrors !== undefined && listed.uncounted > 0) {
    return { type: 'failed', reason: `More than ${MAX_UNTRACKED} files are neither tracked nor ignored by git.` };
  }
  const scope = scopeOf({ git, workTree, bounds, digestOf });
  const states = await statesOf(listed.changes, scope);
  if (mirror) {
    await addUnlisted(mirror, { ...listed, states, scope });
    await mirror.recordEqual(states.equal);
  }
  if (states.unknown !== undefined) return { type: 'failed', reason: states.unknown };
  const hash = createHash('sha256').update(`${workTree.head}\0${listed.uncounted}\0`);
  // sorted, because staging a new file moves it in git's list
  for (const [path, state] of [...states.differing].toSorted(([a], [b]) => (a < b ? -1 : 1))) {
    hash.update(pathBytes(path)).update(`\0${state}\0`);
  }
  const around = repository === undefined ? UNKNOWN : await surroundingsOf(workTree, { listed, states, repository });
  return {
    type: 'digest',
    digest: hash.digest('hex'),
    ...around,
    head: workTree.head ?? null,
    committed: mirror?.facts.committed ?? '',
    topLevel: workTree.topLevel,
    differing: states.differing,
    untracked: new Set(listed.changes.flatMap(({ type, path }) => (type === 'untracked' ? [path] : []))),
  };
}

const stateBeside = (git: Git, workTree: WorkTree, mirrors: string) =>
  repositoryState(git, workTree, join(mirrorFolder({ mirrors, topLevel: workTree.topLevel }), 'staged')).catch(
    failureOf,
  );

interface Around {
  readonly surroundings: string | null;
  readonly problem: string | null;
}

const UNKNOWN: Around = { surroundings: null, problem: null };

interface AroundFacts {
  readonly listed: MirrorList;
  readonly states: States;
  readonly repository: ReturnType<typeof stateBeside>;
}

/** What a program in the worktree can see besides the files. */
async function surroundingsOf({ topLevel }: WorkTree, { listed, states, repository }: AroundFacts): Promise<Around> {
  const [state, empty] = await Promise.all([repository, emptyBelow(topLevel, listed.folders)]);
  if (typeof state === 'object') return { surroundings: null, problem: state.reason };
  if (states.problem !== undefined) return { surroundings: null, problem: states.problem };
  const hidden = new Set(listed.ignored.map((path) => folderPath(path) ?? path));
  const folders = empty.filter((path) => !hidden.has(path));
  const all = JSON.stringify([state, folders, states.inner]);
  return { surroundings: createHash('sha256').update(all).digest('hex'), problem: null };
}

async function plainDigest(folder: string): Promise<TreeDigest> {
  const { digest, isWhole } = await folderDigest(folder);
  if (isWhole) {
    const plain = { digest, surroundings: '', problem: null, head: null, committed: '', topLevel: folder };
    return { type: 'digest', ...plain, differing: new Map(), untracked: new Set() };
  }
  return { type: 'failed', reason: `${folder} is not in a git repository and has more than ${MAX_ENTRIES} files.` };
}

async function list(git: Git, { topLevel }: WorkTree, mirror: Mirror | undefined): Promise<MirrorList> {
  if (mirror) return listMirrorChanges(mirror, MAX_UNTRACKED);
  // without filters, which may be slow, missing, or foreign programs
  const settings = await filterSettings(git, topLevel);
  const request = { folder: topLevel, maxUntracked: MAX_UNTRACKED, settings };
  const listed = await repeatCutShort(undefined, () => listChanges(git, request));
  return { ...listed, ignored: [], folders: [] };
}
