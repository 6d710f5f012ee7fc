import { join } from 'node:path';
import { asSentence } from '../system/sentence.ts';
import { buildTree } from './buildTree.ts';
import { DEFAULT_LIMITS } from './chooseFiles.ts';
import { headTree, moveRef, OWN_IDENTITY, writeCommit } from './commitObject.ts';
import { failureOf, type Git, outputOf } from './git.ts';
import { describeLeftOut } from './leftOut.ts';
import { formerlyTracked } from './onDisk.ts';
import {
  type Keeping,
  type Snapshot,
  type SnapshotRequest,
  type Surroundings,
  snapshotInside,
  snapshotWorkTree,
} from './snapshotWorkTree.ts';
import { stagedApart } from './treeDiff.ts';
import {
  answeredLine,
  exists,
  findWorkTree,
  type NoWorkTree,
  oneLine,
  operationUnderWay,
  type WorkTree,
} from './workTree.ts';

export interface CommitWorkRequest extends Omit<SnapshotRequest, 'ref' | 'stage' | 'filters' | 'mustBeTopLevel'> {
  /** Where the work is kept when a commit would be wrong. */
  readonly fallbackRef: string;
  /** The branch that must be checked out; default: any. */
  readonly branch?: string;
  readonly allowDefaultBranch?: boolean;
}

type NoCommit = 'detachedHead' | 'otherBranch' | 'defaultBranch' | 'underWay' | 'indexLocked' | 'branchMoved';

export type CommittedWork =
  | ({
      readonly type: 'committed';
      readonly branch: string;
      readonly commit: string;
      readonly parent: string | undefined;
      readonly changedFiles: number;
    } & Surroundings)
  | ({ readonly type: 'nothingToCommit' } & Surroundings)
  /** Not committed to the branch; the work is in `snapshot`. */
  | { readonly type: 'snapshotInstead'; readonly why: NoCommit; readonly reason: string; readonly snapshot: Snapshot }
  | NoWorkTree;

const WITHOUT_HOOKS = 'Committed by stopgate without running the hooks of the repository, so that no work is lost.';

/**
 * Commits everything on the checked-out branch. Where that would be wrong (a merge or rebase in progress, HEAD detached,
 * the default branch or an unexpected one) the branch stays and the work becomes a snapshot.
 *
 * No hook runs, because a failing `pre-commit` would lose work; the commit message says so.
 */
export async function commitWork(git: Git, request: CommitWorkRequest): Promise<CommittedWork> {
  const workTree = await findWorkTree(git, request.folder);
  if (workTree.type !== 'workTree') return workTree;
  const no = await whyNoCommit(git, request, workTree);
  if (no) return await snapshotInstead(git, request, no);
  const limits = { ...DEFAULT_LIMITS, ...request.limits };
  try {
    const built = await buildTree(git, { workTree, limits, filters: 'run', bytes: 'converted' });
    const inner = { ...besideRequest(request), folder: workTree.topLevel };
    const inside = await snapshotInside(git, inner, built.inner);
    return await keepFormer(git, request, await commit(git, { request, workTree, built, inside }));
  } catch (error) {
    return failureOf(error);
  }
}

interface Refusal {
  readonly why: NoCommit;
  readonly reason: string;
}

async function whyNoCommit(git: Git, request: CommitWorkRequest, workTree: WorkTree): Promise<Refusal | undefined> {
  const { branch, topLevel } = workTree;
  const operation = await operationUnderWay(workTree);
  if (operation) return { why: 'underWay', reason: asSentence(`${operation} is under way in ${topLevel}`) };
  // a stash that did not apply leaves conflicts, and no other sign
  const conflict = await answeredLine(git, topLevel, ['ls-files', '--unmerged']).catch(failureOf);
  if (typeof conflict === 'object') return { why: 'underWay', reason: conflict.reason };
  if (conflict) return { why: 'underWay', reason: `There are unresolved conflicts in ${topLevel}.` };
  if (branch === undefined) return { why: 'detachedHead', reason: `No branch is checked out in ${topLevel}.` };
  if (request.branch !== undefined && branch !== request.branch) {
    return { why: 'otherBranch', reason: `${branch} is checked out in ${topLevel}, not ${request.branch}.` };
  }
  if (!request.allowDefaultBranch && (await isDefaultBranch(git, topLevel, branch))) {
    const reason = `${branch} is the default branch, which needs explicit permission to commit to.`;
    return { why: 'defaultBranch', reason };
  }
  if (await exists(join(workTree.gitDir, 'index.lock')))
    return { why: 'indexLocked', reason: `Another git command is running in ${topLevel}.` };
  return undefined;
}

/** Usual names of the default branch in a repository without a remote. */
const CUSTOMARY = ['main', 'master', 'trunk', 'develop'];

/** In doubt it is: a missing commit there can be fixed by a merge. */
async function isDefaultBranch(git: Git, folder: string, branch: string): Promise<boolean> {
  const [remote, configured] = await Promise.all([
    oneLine(git, folder, ['symbolic-ref', '--quiet', '--short', 'refs/remotes/origin/HEAD']),
    oneLine(git, folder, ['config', '--get', 'init.defaultBranch']),
  ]);
  return [...CUSTOMARY, configured, remote?.replace(/^origin\//, '')].includes(branch);
}

async function snapshotInstead(git: Git, request: CommitWorkRequest, refusal: Refusal): Promise<CommittedWork> {
  const snapshot = await snapshotWorkTree(git, besideRequest(request));
  return { type: 'snapshotInstead', ...refusal, snapshot };
}

const besideRequest = ({ fallbackRef: ref, branch, allowDefaultBranch, ...rest }: CommitWorkRequest) => ({
  ...rest,
  ref,
});

async function commit(
  git: Git,
  { request, workTree, built, inside }: Keeping<CommitWorkRequest>,
): Promise<CommittedWork> {
  const { topLevel: folder, head, branch = '' } = workTree;
  const { tree, changedFiles } = built;
  const leftOut = [...built.leftOut, ...inside.flatMap((inner) => inner.leftOut)];
  const committed = await headTree(git, workTree);
  if (tree === undefined || tree === committed) return { type: 'nothingToCommit', leftOut, inside, notes: [] };
  const apart = await stagedApart(git, folder, { headTree: committed, indexTree: built.indexTree, tree });
  const staged = apart.length === 0 ? [] : await keepStaged(git, request);
  const notes = [...new Set([...built.notes, ...staged])];
  const message = [request.message, WITHOUT_HOOKS, ...notes, ...leftOut.map(describeLeftOut)].join('\n\n');
  const made = await writeCommit(git, {
    ...{ folder, tree, parents: [head], message },
    identity: await identityFor(git, folder),
  });
  const why = `commit: ${request.message.split('\n')[0]}`;
  const moved = await moveRef(git, { folder, ref: `refs/heads/${branch}`, commit: made, from: head, why });
  if (moved.type === 'failed') return await snapshotInstead(git, request, { why: 'branchMoved', reason: moved.reason });
  // with the old index, git would show the whole commit as reverted
  const reset = await git.run({ folder, args: ['read-tree', '--reset', 'HEAD'] });
  if (reset.type === 'failed') notes.push(`The index is behind the commit; run git reset: ${reset.reason}`);
  return { type: 'committed', branch, commit: made, parent: head, changedFiles, leftOut, inside, notes };
}

/** A commit cannot hold files that git tracked and ignores now; their changes are kept in a snapshot. */
async function keepFormer(git: Git, request: CommitWorkRequest, ended: CommittedWork): Promise<CommittedWork> {
  if (ended.type !== 'committed' && ended.type !== 'nothingToCommit') return ended;
  const workTree = await findWorkTree(git, request.folder);
  if (workTree.type !== 'workTree' || workTree.head === undefined) return ended;
  const { topLevel, head: now } = workTree;
  const start = request.start ?? (ended.type === 'committed' ? ended.parent : undefined);
  const former = await formerlyTracked(git, topLevel, { start, now }).catch(() => []);
  if (former.length === 0) return ended;
  const snapshot = await snapshotWorkTree(git, besideRequest({ ...request, start }));
  const files = `${former.length} ${former.length === 1 ? 'file' : 'files'} that git tracked and ignores now`;
  const note =
    snapshot.type === 'kept'
      ? `${files}: kept beside the commit, ${snapshot.recover} restores them`
      : `${files}: not kept${'reason' in snapshot ? ` (${snapshot.reason})` : ''}`;
  return { ...ended, notes: [...ended.notes, note] };
}

/** The commit holds the files, and the index follows it, so a staged version that differs would be lost. */
async function keepStaged(git: Git, request: CommitWorkRequest): Promise<readonly string[]> {
  const snapshot = await snapshotWorkTree(git, besideRequest(request));
  if (snapshot.type === 'kept') return snapshot.notes;
  return [
    `a staged version that differs from its file was not kept${'reason' in snapshot ? `: ${snapshot.reason}` : ''}`,
  ];
}

/** The user's if configured; ours where git would guess one from the name of the machine. */
export async function identityFor(git: Git, folder: string) {
  const settings = { 'user.useConfigOnly': 'true' };
  const known = await outputOf(git, { folder, args: ['var', 'GIT_COMMITTER_IDENT'], settings }).catch(() => '');
  return known ? undefined : OWN_IDENTITY;
}
