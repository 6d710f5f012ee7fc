import { readRef } from '../../../git/commitObject.ts';
import type { Git } from '../../../git/git.ts';
import { isAncestor } from '../../../git/landing/combineWork.ts';
import { fetchRefs, listRefs } from '../../../git/remote/fetchRefs.ts';
import { type Network, type RemoteLimits, withNetwork } from '../../../git/remote/networkGit.ts';
import { pushRefs, type RefPush } from '../../../git/remote/pushRefs.ts';
import type { Remote } from '../../../git/remote/repositoryAddress.ts';
import { snapshotRef } from '../../../git/snapshotRef.ts';
import { snapshotWorkTree } from '../../../git/snapshotWorkTree.ts';
import { findWorkTree } from '../../../git/workTree.ts';

/** What the remote has of an attempt, as far as this process knows. */
export interface Pushed {
  /** The head of its branch there. */
  readonly commit: string | null;
  /** Its uncommitted work there. */
  readonly wip: string | null;
}

export const NOTHING_PUSHED: Pushed = { commit: null, wip: null };

export interface PushRequest {
  /** The attempt's worktree. */
  readonly path: string;
  readonly branch: string;
  /** The commit at which the attempt began. */
  readonly base: string | undefined;
  readonly remote: Remote;
  /** `TASK-EPOCH`: no other attempt has it, so no other attempt's refs are written. */
  readonly attempt: string;
  readonly message: string;
  readonly from: string;
  /** When in its run, such as `checkpoint`. */
  readonly stage: string;
  readonly before: Pushed;
  /** The remote must have the commit even if the attempt added nothing. */
  readonly isLast: boolean;
  readonly limits?: RemoteLimits | undefined;
}

export interface PushOutcome {
  readonly pushed: Pushed;
  /** Why the remote does not have everything; null when it has. */
  readonly problem: string | null;
}

/**
 * Pushes the branch of an attempt, and what is uncommitted in its worktree as a snapshot beside it. The branch, index and files of the
 * worktree stay as they are. A ref that another process has written is left alone.
 */
export async function pushWork(git: Git, request: PushRequest): Promise<PushOutcome> {
  const { path: folder, branch, before, remote, limits } = request;
  const { commit, wip, problem } = await workIn(git, request);
  const wipRef = snapshotRef(request.attempt);
  const isNew = commit !== null && commit !== before.commit && (request.isLast || commit !== request.base);
  const pushes: RefPush[] = [
    ...(isNew ? [{ ref: `refs/heads/${branch}`, commit, before: before.commit }] : []),
    ...(wip === before.wip ? [] : [{ ref: wipRef, commit: wip, before: before.wip }]),
  ];
  if (pushes.length === 0) return { pushed: before, problem };
  const done = await withNetwork(git, { folder, remote, limits }, async (network) => ({
    type: 'answered' as const,
    failures: await pushAll(git, folder, { network, pushes }),
  }));
  if (done.type === 'failed') return { pushed: before, problem: done.reason };
  const [branchFailed, wipFailed] = [`refs/heads/${branch}`, wipRef].map((ref) => done.failures.get(ref));
  return {
    pushed: {
      commit: isNew && branchFailed === undefined ? commit : before.commit,
      wip: wipFailed === undefined ? wip : before.wip,
    },
    problem: [branchFailed, wipFailed].find((reason) => reason !== undefined) ?? problem,
  };
}

interface WorkIn extends Pushed {
  readonly problem: string | null;
}

/** The head of the branch, and a snapshot of the rest: uncommitted files, or commits that are not on the branch. */
async function workIn(git: Git, request: PushRequest): Promise<WorkIn> {
  const { path: folder, branch, base, attempt, message, from, stage } = request;
  const commit = (await readRef(git, folder, `refs/heads/${branch}`))?.commit ?? null;
  const snapshot = await snapshotWorkTree(git, {
    folder,
    ref: snapshotRef(attempt),
    message,
    from,
    stage,
    start: base,
  });
  if (snapshot.type === 'kept') return { commit, wip: snapshot.commit, problem: null };
  if ('reason' in snapshot) return { commit, wip: request.before.wip, problem: `uncommitted work: ${snapshot.reason}` };
  const found = await findWorkTree(git, folder);
  const head = found.type === 'workTree' ? found.head : undefined;
  const isOnBranch = head === undefined || (commit !== null && (await isAncestor(git, folder, [head, commit])));
  return { commit, wip: isOnBranch ? null : head, problem: null };
}

interface Pushing {
  readonly network: Network;
  readonly pushes: readonly RefPush[];
}

/** By ref, why it was not pushed. */
export async function pushAll(
  git: Git,
  folder: string,
  { network, pushes }: Pushing,
): Promise<ReadonlyMap<string, string>> {
  const first = await pushRefs(network, pushes);
  if (first.type === 'failed') return new Map(pushes.map(({ ref }) => [ref, first.reason]));
  if (first.refused.size === 0) return first.refused;
  // this attempt may have pushed it before, and its worker was killed before it could note that
  const again: RefPush[] = [];
  const refused = new Map(first.refused);
  for (const push of pushes.filter(({ ref }) => first.refused.has(ref))) {
    const there = await ownBefore(git, folder, { network, push });
    if (there === push.commit) refused.delete(push.ref);
    else if (there !== undefined) again.push({ ...push, before: there });
  }
  if (again.length === 0) return refused;
  const second = await pushRefs(network, again);
  for (const { ref } of again) refused.delete(ref);
  if (second.type === 'failed') return new Map([...refused, ...again.map(({ ref }) => [ref, second.reason] as const)]);
  return new Map([...refused, ...second.refused]);
}

/** What the remote has, if the work to push continues it; undefined when it is the work of another process. */
async function ownBefore(
  git: Git,
  folder: string,
  { network, push }: { readonly network: Network; readonly push: RefPush },
): Promise<string | undefined> {
  const refs = await listRefs(network, [push.ref]);
  const there = 'type' in refs ? undefined : refs.get(push.ref);
  if (there === undefined || push.commit === null || there === push.before) return undefined;
  if (there === push.commit) return there;
  const fetched = await fetchRefs(network, [push.ref]);
  if (fetched.type === 'failed') return undefined;
  return (await isAncestor(git, folder, [there, push.commit])) ? there : undefined;
}
