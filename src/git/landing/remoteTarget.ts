import type { Git } from '../git.ts';
import { fetchedRef, fetchRefs, listRefs } from '../remote/fetchRefs.ts';
import { type Network, REMOTE, type RemoteFailure, type RemoteLimits, withNetwork } from '../remote/networkGit.ts';
import { pushRefs } from '../remote/pushRefs.ts';
import type { Remote } from '../remote/repositoryAddress.ts';
import { type CachePlace, withRepositoryLock } from '../remote/repositoryCache.ts';
import { commitOf, isAncestor } from './combineWork.ts';
import type { MovedTarget } from './moveTarget.ts';

/** A branch of a remote. */
export interface RemoteTarget {
  /** Any folder of the repository that receives what is fetched. */
  readonly folder: string;
  readonly remote: Remote;
  /** Its short name. */
  readonly branch: string;
  readonly limits?: RemoteLimits | undefined;
}

export type RemoteTip =
  | { readonly type: 'tip'; readonly commit: string }
  | { readonly type: 'none'; readonly reason: string }
  /** Nothing is known about it. */
  | RemoteFailure;

export type MovedRemote = MovedTarget | { readonly type: 'refused'; readonly reason: string };

/** Asks the remote, and fetches what it has. No branch of the repository changes. */
export function fetchTip(git: Git, target: RemoteTarget, place: CachePlace): Promise<RemoteTip> {
  return overNetwork(git, { ...target, place }, (network) => tipOver(git, target, network));
}

function overNetwork<Result>(
  git: Git,
  { place, ...request }: Omit<RemoteTarget, 'branch'> & { readonly place: CachePlace },
  use: (network: Network) => Promise<Result>,
): Promise<Result | RemoteFailure> {
  return withRepositoryLock(request.remote.url, place, () => withNetwork(git, request, use));
}

async function tipOver(git: Git, { folder, remote, branch }: RemoteTarget, network: Network): Promise<RemoteTip> {
  const ref = `refs/heads/${branch}`;
  const refs = await listRefs(network, [ref]);
  if ('type' in refs) return refs;
  if (!refs.has(ref)) return { type: 'none', reason: `there is no branch ${branch} on ${remote.url}` };
  const fetched = await fetchRefs(network, [ref]);
  if (fetched.type === 'failed') return fetched;
  const commit = await commitOf(git, folder, fetchedRef(ref));
  if (commit === undefined) return { type: 'failed', reason: `${branch} of ${remote.url} is not a commit` };
  return { type: 'tip', commit };
}

/** The branch that the remote's HEAD names; null when it names none that exists. */
export function headBranch(
  git: Git,
  request: Omit<RemoteTarget, 'branch'>,
  place: CachePlace,
): Promise<{ readonly type: 'head'; readonly branch: string | null } | RemoteFailure> {
  const use = async (network: Network) => {
    const args = ['ls-remote', '--quiet', '--symref', REMOTE, 'HEAD'];
    const end = await network.run({ args, timeoutMs: network.limits.listMs });
    if (end.type === 'failed') return end;
    const [, branch = null] = /^ref: refs\/heads\/(\S+)\tHEAD$/m.exec(end.stdout) ?? [];
    return { type: 'head' as const, branch };
  };
  return overNetwork(git, { ...request, place }, use);
}

interface MoveRemoteRequest extends RemoteTarget {
  readonly commit: string;
  /** What the commit was made from, and contains: the branch moves only from there. */
  readonly from: string;
}

/** Moves a branch of a remote by a push, unless it was moved meanwhile. */
export function moveRemoteTarget(git: Git, request: MoveRemoteRequest, place: CachePlace): Promise<MovedRemote> {
  return overNetwork(git, { ...request, place }, (network) => moveOver(git, request, network));
}

async function moveOver(git: Git, request: MoveRemoteRequest, network: Network): Promise<MovedRemote> {
  const { folder, branch, commit, from } = request;
  const ref = `refs/heads/${branch}`;
  const pushed = await pushRefs(network, [{ ref, commit, before: from }]);
  const refused = pushed.type === 'answered' ? pushed.refused.get(ref) : undefined;
  if (pushed.type === 'answered' && refused === undefined) return { type: 'moved' };
  const why = pushed.type === 'failed' ? pushed.reason : `${refused}`;
  // the answer may have been lost, so that only the branch shows what happened
  const there = await tipOver(git, request, network);
  if (there.type === 'failed') {
    const unknown = 'whether the branch was moved is not known, and is looked up before anything else lands there';
    return { type: 'failed', reason: `${why.replace(/\.$/, '')}; ${unknown}` };
  }
  if (there.type === 'tip' && (await isAncestor(git, folder, [commit, there.commit]))) return { type: 'moved' };
  if (there.type === 'none' || there.commit !== from) return { type: 'movedByOthers' };
  // a late arrival changes nothing: work that is on the branch already is not landed again
  return { type: 'refused', reason: why };
}
