import type { Git } from '../../../git/git.ts';
import { fetchRefs, listRefs, type RemoteRefs } from '../../../git/remote/fetchRefs.ts';
import { type Network, type RemoteFailure, type RemoteLimits, withNetwork } from '../../../git/remote/networkGit.ts';
import type { Remote } from '../../../git/remote/repositoryAddress.ts';
import { type CachePlace, withRepositoryLock } from '../../../git/remote/repositoryCache.ts';
import { snapshotRef } from '../../../git/snapshotRef.ts';
import { hasCommit } from './commits.ts';

export interface FetchRequest {
  /** Any folder of the repository that receives them. */
  readonly folder: string;
  readonly remote: Remote;
  /** Of the task; null: the remote's HEAD. */
  readonly base: string | null;
  /** Branches of attempts, of this task and of those that it depends on. */
  readonly branches: readonly string[];
  readonly limits?: RemoteLimits | undefined;
}

/** A commit by its id. */
export const isCommitId = (text: string): boolean => /^(?:[0-9a-f]{40}|[0-9a-f]{64})$/.test(text);

/** The ref of an attempt's uncommitted work, by its branch `sg/TASK/EPOCH`; null for another branch. */
export function wipOf(branch: string): string | null {
  const [, task, epoch] = /^sg\/([^/]+)\/(\d+)$/.exec(branch) ?? [];
  return task === undefined ? null : snapshotRef(`${task}-${epoch}`);
}

/** Fetches what an attempt may start from. Returns what the remote has of it. */
export function fetchStart(
  git: Git,
  request: FetchRequest,
  place: CachePlace,
): Promise<{ readonly type: 'fetched'; readonly refs: RemoteRefs } | RemoteFailure> {
  return withRepositoryLock(request.remote.url, place, () =>
    withNetwork(git, request, (network) => fetchAll(git, request, network)),
  );
}

async function fetchAll(git: Git, { folder, base, branches }: FetchRequest, network: Network) {
  const works = branches.flatMap((branch) => [`refs/heads/${branch}`, wipOf(branch) ?? []].flat());
  const id = base !== null && isCommitId(base) ? base : null;
  const bases = base === null ? ['HEAD'] : id === null ? [`refs/heads/${base}`, `refs/tags/${base}`] : [];
  const patterns = [...bases, ...works, ...(id === null ? [] : ['refs/heads/*'])];
  const refs = await listRefs(network, patterns);
  if ('type' in refs) return refs;
  const wanted = [...bases, ...works].filter((ref) => refs.has(ref));
  const fetched = await fetchRefs(network, wanted);
  if (fetched.type === 'failed') return fetched;
  if (id !== null && !(await hasCommit(git, folder, id))) {
    // not every server hands out commits by their ids
    const alone = await fetchRefs(network, [id]);
    const all = alone.type === 'failed' ? await fetchRefs(network, branchesOf(refs)) : alone;
    if (all.type === 'failed') return all;
  }
  return { type: 'fetched' as const, refs };
}

const branchesOf = (refs: RemoteRefs) => [...refs.keys()].filter((ref) => /^refs\/heads\/(?!sg\/)/.test(ref));
