import { attemptOf } from '../../fleet/worker/heldBy.ts';
import type { Git } from '../../git/git.ts';
import { commitOf, isAncestor } from '../../git/landing/combineWork.ts';
import { type Remote, readAddress } from '../../git/remote/repositoryAddress.ts';
import { snapshotRef } from '../../git/snapshotRef.ts';
import { treeDigest } from '../../git/treeDigest.ts';
import { findWorkTree } from '../../git/workTree.ts';
import { removeWorktree } from '../../git/worktrees.ts';
import { worldGit } from '../../stop/worldGit.ts';
import { leaseOf } from '../../store/leaseOf.ts';
import type { AttemptDetails, Lease, Store, Worker } from '../../store/types.ts';
import type { World } from '../../system/world.ts';
import { countText, type KeptWork, keepBeside, keepOnBranch } from '../keepWork.ts';
import { type Pushed, type PushOutcome, pushWork } from './repository/pushWork.ts';

/** The folder of a task. */
export interface TaskFolder {
  readonly path: string;
  readonly base: string | undefined;
  /** Of its own worktree; null without one. */
  readonly branch: string | null;
  /** The branch of an earlier attempt whose work it starts with. */
  readonly continuedFrom?: string;
  /** Where its work is pushed to. */
  readonly remote?: Remote | null;
  /** Sentences for the agent about what is in it. */
  readonly notes?: readonly string[];
}

type FolderWorld = Pick<World, 'processes' | 'env' | 'cwd' | 'stopgateHome'>;

/** What is done with the folder of an attempt; `repository/openTaskFolder.ts` opens it. */
export function taskFolders(world: FolderWorld) {
  // filters of a repository run where a person trusts it, which the folder decides, not the worker's own
  const gitOf = ({ path: cwd }: Pick<TaskFolder, 'path'>) => worldGit({ ...world, cwd });
  return {
    /** Changes whenever a file changes; null when unknown. */
    async state(folder: TaskFolder): Promise<string | null> {
      const found = await treeDigest(gitOf(folder), { folder: folder.path });
      return found.type === 'digest' ? found.digest : null;
    },
    /** Keeps uncommitted work, and returns where, and the commit that has all of it. */
    async keep(folder: TaskFolder, lease: Lease): Promise<AttemptDetails> {
      const git = gitOf(folder);
      const kept = await keepWork(git, folder, lease);
      if (kept.type === 'notKept') return leaseDetails(folder);
      if (kept.type === 'nothing') {
        const head = await newestIn(git, folder);
        return { ...leaseDetails(folder), ...(head !== undefined && { headCommit: head }) };
      }
      const isRef = kept.where.startsWith('refs/');
      return { ...leaseDetails(folder), headCommit: kept.commit, ...(isRef && { wipRef: kept.where }) };
    },
    /** Called when its agent is gone: puts the work on the attempt's branch. Returns sentences for the log. */
    async leave(folder: TaskFolder, lease: Lease, remove: boolean): Promise<readonly string[]> {
      if (folder.branch === null) return [];
      const git = gitOf(folder);
      const notes = describeKept(await keepWork(git, folder, lease));
      if (!remove) return notes;
      const { path, branch, base: start } = folder;
      const request = { path, ref: snapshotRef(attemptName(lease)), message: messageOf(lease), start };
      const removed = await removeWorktree(git, request);
      if (removed.type === 'removed') return [...notes, `removed the worktree; branch ${branch} stays`];
      return [...notes, `the worktree ${path} stays: ${removed.reason}`];
    },
    /** Pushes the attempt's branch and what is uncommitted; null without a branch or a remote. */
    async push(
      folder: TaskFolder,
      lease: Lease,
      { stage, before, isLast }: { readonly stage: string; readonly before: Pushed; readonly isLast: boolean },
    ): Promise<PushOutcome | null> {
      const { path, branch, base, remote = null } = folder;
      if (branch === null || remote === null) return null;
      const words = { message: messageOf(lease), from: fromOf(lease), stage };
      return pushWork(gitOf(folder), {
        path,
        branch,
        base,
        remote,
        attempt: attemptName(lease),
        ...words,
        before,
        isLast,
      });
    },
  };
}

/** What is checked out, or its branch where that is further: an agent may have looked at an older commit last. */
async function newestIn(git: Git, { path, branch }: TaskFolder): Promise<string | undefined> {
  const found = await findWorkTree(git, path);
  const head = found.type === 'workTree' ? found.head : undefined;
  const tip = branch === null ? undefined : await commitOf(git, path, `refs/heads/${branch}`);
  if (head === undefined || tip === undefined) return head;
  return (await isAncestor(git, path, [head, tip])) ? tip : head;
}

const fromOf = ({ taskId, epoch }: Lease) => `task ${taskId}, attempt ${epoch}`;
const messageOf = ({ taskId, epoch }: Lease) => `Work on task ${taskId} that was not committed (attempt ${epoch})`;

function describeKept(kept: KeptWork): readonly string[] {
  if (kept.type === 'nothing') return [];
  if (kept.type === 'notKept') return [`uncommitted work could not be kept: ${kept.reason}`];
  const restore = kept.recover === null ? '' : `; restore it with ${kept.recover}`;
  return [`uncommitted work (${countText(kept)}) is on ${kept.where}${restore}`];
}

function keepWork(git: Git, { path, branch, base }: TaskFolder, lease: Lease): Promise<KeptWork> {
  const from = fromOf(lease);
  const keeping = { git, folder: path, id: attemptName(lease), message: messageOf(lease), from, began: base };
  return branch === null ? keepBeside(keeping) : keepOnBranch(keeping, { branch, allowDefaultBranch: false });
}

export const attemptName = ({ taskId, epoch }: Lease) => `${taskId}-${epoch}`;

export function leaseDetails({ path, base, branch, continuedFrom }: TaskFolder): AttemptDetails {
  return {
    ...(base !== undefined && { baseCommit: base }),
    ...(branch !== null && { branch, worktree: path }),
    ...(continuedFrom !== undefined && { continuedFrom }),
  };
}

/**
 * Keeps the uncommitted work of a worker that is gone, before its task goes to another one, and records where it is, for the
 * next attempt.
 */
export async function keepLost(store: Store, worker: Worker, world: FolderWorld): Promise<void> {
  const lease = leaseOf(worker);
  if (lease !== null) await keepOf(store, lease, world);
}

/** The same for the claim of a worker that is gone. Returns what it recorded. */
export async function keepOf(store: Store, lease: Lease, world: FolderWorld): Promise<AttemptDetails> {
  const attempt = await attemptOf(store, lease);
  if (attempt === null) return {};
  const { worktree, branch, baseCommit, pushedCommit, pushedWip } = attempt.details;
  const folders = taskFolders(world);
  const remote = worktree === undefined ? null : await remoteOf(store, lease, worktree);
  const folder = { path: worktree ?? world.cwd, base: baseCommit, branch: branch ?? null, remote };
  const kept = await folders.keep(folder, lease);
  const note = (details: AttemptDetails) =>
    store.heartbeat({ workerId: lease.workerId, incarnation: lease.incarnation, lease, details });
  // what is kept here must be known even if the remote does not answer
  await note(kept);
  const before = { commit: pushedCommit ?? null, wip: pushedWip || null };
  const pushed = await folders.push(folder, lease, { stage: 'after its worker', before, isLast: true });
  if (pushed === null) return kept;
  await note(pushedDetails(pushed));
  return { ...kept, ...pushedDetails(pushed) };
}

async function remoteOf(store: Store, { taskId }: Lease, folder: string): Promise<Remote | null> {
  const asked = await store.task({ id: taskId });
  const repository = asked.type === 'found' ? asked.task.repository : null;
  const address = repository === null ? null : readAddress(repository, folder);
  return address?.type === 'remote' ? address : null;
}

export const pushedDetails = ({ pushed, problem }: PushOutcome): AttemptDetails => ({
  ...(pushed.commit !== null && { pushedCommit: pushed.commit }),
  pushedWip: pushed.wip ?? '',
  pushProblem: problem ?? '',
});
