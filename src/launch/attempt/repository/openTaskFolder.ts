import path from 'node:path';
import { moveRef } from '../../../git/commitObject.ts';
import { type Git, GitError } from '../../../git/git.ts';
import { commitOf } from '../../../git/landing/combineWork.ts';
import { fetchedRef, type RemoteRefs } from '../../../git/remote/fetchRefs.ts';
import type { RemoteLimits } from '../../../git/remote/networkGit.ts';
import { type Remote, readAddress } from '../../../git/remote/repositoryAddress.ts';
import { openCache } from '../../../git/remote/repositoryCache.ts';
import { listKeptStates } from '../../../git/restore/keptStates.ts';
import { planRestore } from '../../../git/restore/planRestore.ts';
import { restoreWork } from '../../../git/restore/restoreWork.ts';
import { recoverCommand, snapshotId } from '../../../git/snapshotRef.ts';
import { findWorkTree } from '../../../git/workTree.ts';
import { addWorktree, worktreePlace } from '../../../git/worktrees.ts';
import { worldGit } from '../../../stop/worldGit.ts';
import type { Lease, Task } from '../../../store/types.ts';
import type { World } from '../../../system/world.ts';
import { attemptName, type TaskFolder } from '../taskFolders.ts';
import { type ChosenStart, chooseStart } from './chooseStart.ts';
import { decidePlace, type TaskPlace } from './decidePlace.ts';
import { fetchStart, wipOf } from './fetchStart.ts';
import { localRepository } from './localRepository.ts';
import type { Prerequisite } from './prerequisites.ts';

export interface OpenRequest {
  readonly lease: Lease;
  /** Null when the store did not answer. */
  readonly task: Pick<Task, 'repository' | 'base'> | null;
  /** The branches of earlier attempts, newest first. */
  readonly earlier: readonly string[];
  readonly prerequisites: readonly Prerequisite[];
  readonly worktrees: boolean;
  readonly limits?: RemoteLimits | undefined;
}

export type OpenedFolder =
  | { readonly type: 'opened'; readonly folder: TaskFolder }
  /** `isFinal`: another attempt here would find the same. */
  | { readonly type: 'noFolder'; readonly reason: string; readonly isFinal: boolean };

/** The folder of an attempt: the worker's own, or a worktree of the task's repository, which is cloned if it is not here. */
export async function openTaskFolder(world: World, request: OpenRequest): Promise<OpenedFolder> {
  const { cwd } = world;
  const git = worldGit(world);
  const { task, worktrees } = request;
  const repository = task?.repository == null ? null : readAddress(task.repository, cwd);
  const [here, named] = await Promise.all([
    localRepository(git, cwd),
    repository?.type === 'folder'
      ? localRepository(worldGit({ ...world, cwd: repository.path }), repository.path)
      : null,
  ]);
  const place = decidePlace({ repository, here, named, worktrees });
  if (place.type === 'inPlace') return { type: 'opened', folder: await inPlace(git, cwd) };
  if (place.type !== 'none') return openWorktree(world, request, place);
  const isOwn = repository?.type === 'folder' && isInside(cwd, repository.path);
  if (repository !== null) return { type: 'noFolder', reason: place.reason, isFinal: !isOwn };
  // the worker's own repository is gone: the task has done nothing wrong
  return { type: 'noFolder', reason: `${place.reason}: ${cwd} is not in one.`, isFinal: false };
}

const isInside = (folder: string, above: string): boolean => `${folder}${path.sep}`.startsWith(`${above}${path.sep}`);

async function inPlace(git: Git, cwd: string): Promise<TaskFolder> {
  const found = await findWorkTree(git, cwd);
  return { path: cwd, base: found.type === 'workTree' ? found.head : undefined, branch: null };
}

interface Source {
  readonly git: Git;
  readonly folder: string;
  readonly remote: Remote | null;
  readonly isClone: boolean;
}

type WorktreePlace = Extract<TaskPlace, { type: 'worktree' | 'clone' }>;

async function openWorktree(world: World, request: OpenRequest, place: WorktreePlace): Promise<OpenedFolder> {
  const source = await sourceOf(world, place);
  if ('reason' in source) return { type: 'noFolder', reason: source.reason, isFinal: false };
  const fetched = await fetchFor(world, request, source);
  // its own clone has what it needs, or says below that it has not
  if (fetched.problem !== null && source.isClone) return { type: 'noFolder', reason: fetched.problem, isFinal: false };
  const { earlier, prerequisites, task } = request;
  const remote = source.isClone ? fetched.refs : null;
  const wish = { folder: source.folder, base: task?.base ?? null, earlier, prerequisites, remote };
  const start = await chooseStart(source.git, wish);
  if (start.type === 'noBase') {
    const problem = fetched.problem === null ? '' : ` ${fetched.problem}`;
    return { type: 'noFolder', reason: `${start.reason}${problem}`, isFinal: fetched.problem === null };
  }
  return addFolder(world, request, { source, start, ...fetched });
}

async function sourceOf(world: World, place: WorktreePlace): Promise<Source | { readonly reason: string }> {
  if (place.type === 'worktree') {
    return { git: worldGit({ ...world, cwd: place.of }), folder: place.of, remote: place.remote, isClone: false };
  }
  const { remote } = place;
  const cache = { home: world.stopgateHome, clock: world.clock, ids: world.ids };
  const opened = await openCache(worldGit({ ...world, cwd: world.stopgateHome }), remote.url, cache);
  if (opened.type === 'failed') return opened;
  return { git: worldGit({ ...world, cwd: opened.folder }), folder: opened.folder, remote, isClone: true };
}

interface Fetched {
  readonly refs: RemoteRefs;
  readonly problem: string | null;
}

async function fetchFor(world: World, request: OpenRequest, { git, folder, remote }: Source): Promise<Fetched> {
  if (remote === null) return { refs: new Map(), problem: null };
  const { task, earlier, prerequisites, limits } = request;
  const branches = [...earlier, ...prerequisites.flatMap(({ branch }) => branch ?? [])];
  const cache = { home: world.stopgateHome, clock: world.clock, ids: world.ids };
  const wish = { folder, remote, base: task?.base ?? null, branches, limits };
  const fetched = await fetchStart(git, wish, cache);
  return fetched.type === 'failed'
    ? { refs: new Map(), problem: fetched.reason }
    : { refs: fetched.refs, problem: null };
}

interface Opening extends Fetched {
  readonly source: Source;
  readonly start: Extract<ChosenStart, { type: 'start' }>;
}

async function addFolder(world: World, { lease }: OpenRequest, opening: Opening): Promise<OpenedFolder> {
  const { source, start, refs, problem } = opening;
  const { git, folder, remote, isClone } = source;
  const place = worktreePlace(world.stopgateHome, folder, attemptName(lease));
  const branch = `sg/${lease.taskId}/${lease.epoch}`;
  const added = await addWorktree(git, { folder, path: place.path, branch, start: start.commit });
  if (added.type !== 'added') {
    if (isClone) return { type: 'noFolder', reason: added.reason, isFinal: false };
    // counted: in the worker's own repository, this may be so at every attempt
    return { type: 'noFolder', reason: `a worktree of ${folder} could not be made: ${added.reason}`, isFinal: true };
  }
  const { continuedFrom: from } = start;
  const wip =
    from === undefined ? [] : await restored(git, { folder: place.path, branch: from, start: start.commit, refs });
  const offline =
    problem === null ? [] : [`The remote of the repository could not be asked for newer work: ${problem}`];
  return {
    type: 'opened',
    folder: {
      ...{ path: added.path, base: added.base, branch: added.branch, remote },
      ...(from !== undefined && { continuedFrom: from }),
      notes: [...start.notes, ...wip, ...offline],
    },
  };
}

/** It must not keep an attempt from starting. */
async function restored(git: Git, wip: Parameters<typeof restoreWip>[1]): Promise<readonly string[]> {
  try {
    return await restoreWip(git, wip);
  } catch (error) {
    if (error instanceof GitError) return [`What it had not committed could not be restored: ${error.message}`];
    throw error;
  }
}

interface WipRequest {
  /** A new worktree. */
  readonly folder: string;
  /** The branch of the attempt that it continues, and the commit that it starts at. */
  readonly branch: string;
  readonly start: string;
  readonly refs: RemoteRefs;
}

/**
 * Puts the uncommitted work that an attempt of another machine had pushed into the files of a new worktree. One that is older than its
 * commits is left alone. Returns sentences for the agent.
 */
async function restoreWip(git: Git, { folder, branch, start, refs }: WipRequest): Promise<readonly string[]> {
  const ref = wipOf(branch);
  if (ref === null || !refs.has(ref)) return [];
  const commit = await commitOf(git, folder, fetchedRef(ref));
  if (commit === undefined) return [];
  const here = await commitOf(git, folder, ref);
  // so that `stopgate restore` knows it
  if (here === undefined) await moveRef(git, { folder, ref, commit, from: undefined, why: 'fetched' });
  const states = await listKeptStates(git, folder);
  const state = states.type === 'listed' ? states.states.find((one) => one.ref === ref) : undefined;
  if (state === undefined || state.commit !== commit) return [];
  if (state.record.base !== start)
    return [`Uncommitted work of that attempt, from before its last commit, is kept: \`${recoverCommand(ref)}\`.`];
  const done = await restore(git, folder, state);
  return done === null
    ? ['What it had not committed is in the files, too.']
    : [`What it had not committed could not be restored (${done}): \`${recoverCommand(ref)}\` tries it again.`];
}

type State = Parameters<typeof planRestore>[1]['state'];

/** Null when all of it is in the files. */
async function restore(git: Git, folder: string, state: State): Promise<string | null> {
  const workTree = await findWorkTree(git, folder);
  if (workTree.type !== 'workTree') return workTree.reason;
  // nothing is in the way: the worktree is new
  const all = { isWanted: () => true, mayOverwrite: () => true };
  const planned = await planRestore(git, { workTree, state, ...all });
  if (planned.type === 'failed') return planned.reason;
  await using plan = planned;
  const undoId = `${snapshotId(state.ref)}-before`;
  const outcome = await restoreWork(git, { workTree, state }, { planned: plan, undoId });
  return 'reason' in outcome ? outcome.reason : null;
}
