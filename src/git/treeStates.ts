import { setImmediate } from 'node:timers/promises';
import type { Change } from './changes.ts';
import type { SnapshotLimits } from './chooseFiles.ts';
import { type Budget, type FileState, fileState } from './fileState.ts';
import { folderDigest } from './folderDigest.ts';
import type { Git } from './git.ts';
import { linkTargets } from './linkTargets.ts';
import type { Mirror } from './mirror.ts';
import { hiddenByNewRules, rulesSince } from './mirrorChanges.ts';
import { isUsual } from './mirrorFacts.ts';
import { absolutePath } from './quotedPath.ts';
import type { TreeEntry } from './treeDiff.ts';
import type { WorkTree } from './workTree.ts';

export type TreeDigest =
  | {
      readonly type: 'digest';
      /** Changes whenever a file changes. */
      readonly digest: string;
      /** Changes whenever anything else changes that a program in the worktree can see; null when unknown. */
      readonly surroundings: string | null;
      /** Why the surroundings are unknown. */
      readonly problem: string | null;
      readonly head: string | null;
      /** A digest of the files of HEAD as our own record has them, see `committedFiles`; empty without a record. */
      readonly committed: string;
      readonly topLevel: string;
      /** The files that differ from HEAD, by quoted path; empty outside a repository. */
      readonly differing: ReadonlyMap<string, string>;
      /** Those of them that HEAD does not have. */
      readonly untracked: ReadonlySet<string>;
    }
  /** No digest is possible that changes with every file. */
  | { readonly type: 'failed'; readonly reason: string };

/** How the files of a worktree were read. */
export interface Reading {
  readonly topLevel: string;
  readonly gitDir: string;
  /** The file system's time before any file was read, in milliseconds. */
  readonly beganAt: number;
}

/** Larger files, and files beyond these totals, count by size, times and inode instead of content. */
export type DigestLimits = SnapshotLimits;

export type Bounds = DigestLimits & {
  readonly depth: number;
  readonly mirrors: string | undefined;
  readonly since: string | undefined;
};

/** Tracked files are read when a mirror is new, and then only when they were touched. */
const TRACKED = { bytes: 2_000_000_000, files: 500_000 };
const MAX_DEPTH = 4;
/** After so many files, other work in this process gets a turn. */
const FILES_IN_A_ROW = 256;

export interface Scope {
  readonly git: Git;
  readonly workTree: WorkTree;
  readonly bounds: Bounds;
  readonly budget: Budget;
  readonly trackedBudget: Budget;
  /** For a repository inside this one. */
  readonly digestOf: (git: Git, folder: string, bounds: Bounds) => Promise<TreeDigest>;
}

export function scopeOf(parts: Omit<Scope, 'budget' | 'trackedBudget'>): Scope {
  const { fileBytes, totalBytes, files } = parts.bounds;
  const budget: Budget = { fileBytes, bytes: totalBytes, files };
  return { ...parts, budget, trackedBudget: { ...budget, ...TRACKED } };
}

/** How the files of a worktree differ from HEAD. */
export interface States {
  /** By quoted path. */
  readonly differing: Map<string, string>;
  /** Equal to HEAD after all: touched, or another version is staged. */
  readonly equal: string[];
  /** Every path that was read. */
  readonly seen: Set<string>;
  /** Symbolic links among them. */
  readonly links: string[];
  /** Surroundings of repositories inside. */
  readonly inner: (string | null)[];
  /** Why the states are incomplete. */
  unknown?: string;
  /** Why they cannot prove a cached pass. */
  problem?: string;
}

export async function statesOf(changes: readonly Change[], scope: Scope): Promise<States> {
  const states: States = { differing: new Map(), equal: [], seen: new Set(), links: [], inner: [] };
  for (const [index, change] of changes.entries()) {
    if (index % FILES_IN_A_ROW === 0) await setImmediate();
    states.seen.add(change.path);
    const state = await stateOf(change, scope, states);
    if (state === undefined) states.equal.push(change.path);
    else states.differing.set(change.path, state);
  }
  return states;
}

async function stateOf(change: Change, scope: Scope, states: States): Promise<string | undefined> {
  const { workTree, budget, trackedBudget } = scope;
  if (change.type === 'deleted') return 'deleted';
  const file = absolutePath(workTree.topLevel, change.path);
  if (change.type === 'submodule' || change.type === 'repository') {
    return innerState(file.toString('utf8'), scope, states);
  }
  if (change.type === 'untracked') return textOf(change.path, readState(file, budget, scope), states);
  const found = readState(file, trackedBudget, scope, change.inHead);
  const isUsualFile = found.permissions === undefined || isUsual(found.permissions);
  if (found.state !== undefined || isUsualFile) return textOf(change.path, found, states);
  // only its permissions differ, which git does not record but the mirror does
  states.equal.push(change.path);
  return textOf(change.path, found, states);
}

async function innerState(folder: string, { git, bounds, digestOf }: Scope, states: States): Promise<string> {
  const inner =
    bounds.depth < MAX_DEPTH
      ? await digestOf(git, folder, { ...bounds, since: undefined, depth: bounds.depth + 1 })
      : { type: 'failed' as const, reason: `Repositories lie more than ${MAX_DEPTH} deep in one another.` };
  if (inner.type === 'digest') {
    states.inner.push(inner.surroundings);
    if (inner.problem !== null) states.problem = inner.problem;
    return inner.digest;
  }
  if (bounds.mirrors !== undefined) states.unknown = inner.reason;
  return inner.reason;
}

function readState(file: Buffer, budget: Budget, { bounds }: Scope, inHead?: TreeEntry): FileState {
  const found = fileState(file, { budget, inHead });
  // git does not list permissions, so they count only with a mirror
  return bounds.mirrors === undefined ? { ...found, permissions: undefined } : found;
}

function textOf(path: string, { state, permissions }: FileState, states: States): string | undefined {
  if (state?.startsWith('120000 ')) states.links.push(path);
  if (permissions === undefined || isUsual(permissions)) return state;
  return `${state ?? 'as committed'} ${permissions.toString(8)}`;
}

interface Unlisted {
  readonly ignored: readonly string[];
  readonly states: States;
  readonly scope: Scope;
}

/** Adds what no list of changes includes. */
export async function addUnlisted(mirror: Mirror, unlisted: Unlisted): Promise<void> {
  await addHidden(mirror, unlisted);
  addFormer(mirror, unlisted);
  for (const [path, mode] of Object.entries(mirror.facts.modes)) {
    if (!unlisted.states.seen.has(path)) unlisted.states.differing.set(path, `as committed ${mode.toString(8)}`);
  }
  await addLinks(mirror, unlisted);
}

/** What a new or changed .gitignore hides. */
async function addHidden(mirror: Mirror, { ignored, states, scope }: Unlisted): Promise<void> {
  const since = await rulesSince(scope.git, scope.workTree, scope.bounds.since);
  const changed = [...states.differing.keys(), ...since];
  for (const path of await hiddenByNewRules(mirror, { ignored, changed })) {
    const file = absolutePath(scope.workTree.topLevel, path);
    if (!/\/"?$/.test(path)) {
      states.differing.set(path, textOf(path, readState(file, scope.budget, scope), states) ?? '');
      continue;
    }
    const { digest, isWhole } = await folderDigest(file.toString('utf8'));
    if (isWhole) states.differing.set(path, digest);
    else states.problem = `The folder ${file.toString('utf8')}, which a new rule hides, has too many files.`;
  }
}

/** Files that an earlier commit tracked and that a rule hides now, by content. */
function addFormer({ former }: Mirror, { states, scope }: Unlisted): void {
  for (const path of former) {
    if (states.differing.has(path) || states.seen.has(path)) continue;
    const found = readState(absolutePath(scope.workTree.topLevel, path), scope.trackedBudget, scope);
    // gone, as HEAD has it
    if (found.state !== 'gone') states.differing.set(path, textOf(path, found, states) ?? '');
  }
}

async function addLinks(mirror: Mirror, { ignored, states, scope }: Unlisted): Promise<void> {
  const equal = new Set(states.equal);
  const tracked = mirror.facts.links.filter((path) => !states.seen.has(path) || equal.has(path));
  const links = [...new Set([...tracked, ...states.links])];
  const { topLevel, gitDir } = scope.workTree;
  const { states: targets, problem } = await linkTargets(links, { topLevel, gitDir, ignored, budget: scope.budget });
  for (const [path, state] of targets) {
    states.differing.set(path, `${states.differing.get(path) ?? 'as committed'} leads to ${state}`);
  }
  if (problem !== undefined) states.problem = problem;
}
