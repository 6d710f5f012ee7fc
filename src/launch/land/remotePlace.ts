import type { Git } from '../../git/git.ts';
import { commitOf } from '../../git/landing/combineWork.ts';
import { fetchTip, headBranch } from '../../git/landing/remoteTarget.ts';
import type { RemoteFailure } from '../../git/remote/networkGit.ts';
import { isSameUrl, type Remote, readAddress } from '../../git/remote/repositoryAddress.ts';
import { openCache } from '../../git/remote/repositoryCache.ts';
import { worldGit } from '../../stop/worldGit.ts';
import type { Review, Store, Task } from '../../store/types.ts';
import { newestOf } from '../attempt/repository/commits.ts';
import { fetchStart, isCommitId } from '../attempt/repository/fetchStart.ts';
import { localRepository } from '../attempt/repository/localRepository.ts';
import type { VerifierWorld } from '../verify/planVerification.ts';
import type { LandingPlace, NotPlaced, PlacedWork, RemoteOrigin } from './landing.ts';
import { cacheIn } from './landingTarget.ts';

/** What is needed to find the work of attempts; one for each command. */
export interface Places {
  readonly store: Store;
  readonly world: VerifierWorld;
  /** Of the current folder. */
  readonly git: Git;
  /** Remotes that did not answer, with the reason: they are not asked again for every task of a list. */
  readonly unreachable: Map<string, string>;
}

export const openPlaces = (store: Store, world: VerifierWorld): Places => ({
  ...{ store, world, git: worldGit(world), unreachable: new Map() },
});

type RemoteRepository = Pick<LandingPlace, 'repository' | 'folder'> & { readonly origin: RemoteOrigin };

/** Git for a place: in the machine's own clone, which agents can write to, nothing that its repository configures runs. */
export const gitAt = (
  { folder, origin }: Omit<LandingPlace, 'target'>,
  { git, world }: Pick<Places, 'git' | 'world'>,
) => (origin === undefined || origin.isOwnClone ? git : worldGit({ ...world, cwd: folder }));

/** The remote of a task; null for one without. */
export function remoteOf({ repository }: Pick<Task, 'repository'>, { cwd }: Pick<VerifierWorld, 'cwd'>): Remote | null {
  const address = repository === null ? null : readAddress(repository, cwd);
  return address?.type === 'remote' ? address : null;
}

/** The current folder if it is a clone of the remote, else the machine's own clone. Its name is the same on every machine. */
export async function openRemote(
  remote: Remote,
  { git, world }: Pick<Places, 'git' | 'world'>,
): Promise<RemoteRepository | RemoteFailure> {
  const { url } = remote;
  const here = await localRepository(git, world.cwd);
  if (here?.origin != null && isSameUrl(here.origin.url, url))
    return { repository: url, folder: here.topLevel, origin: { remote, isOwnClone: true } };
  const cache = await openCache(worldGit({ ...world, cwd: world.stopgateHome }), url, cacheIn(world));
  if (cache.type === 'failed') return cache;
  return { repository: url, folder: cache.folder, origin: { remote, isOwnClone: false } };
}

export type Placing = Pick<Review, 'details' | 'taskId' | 'reviewedCommit'>;

export const notHere = (reason: string): NotPlaced => ({ type: 'notHere', reason });

/** Fetches the commit of an attempt if the repository here does not have it. */
export async function placeRemoteWork(
  { details, taskId, reviewedCommit }: Placing,
  { remote, base: taskBase }: { readonly remote: Remote; readonly base: string | null },
  places: Places,
): Promise<PlacedWork | NotPlaced> {
  const place = await openRemote(remote, places);
  if ('type' in place) return notHere(place.reason);
  const { branch, baseCommit } = details;
  const { folder } = place;
  const git = gitAt(place, places);
  const id = reviewedCommit ?? details.verifiedCommit ?? details.headCommit;
  const find = () => (id === undefined ? newestOf(git, folder, `refs/heads/${branch}`) : commitOf(git, folder, id));
  const known = await find();
  const problem = known === undefined ? await fetchInto(place, details, places) : null;
  if (problem !== null) return notHere(`The work of task ${taskId} could not be fetched: ${problem}`);
  const commit = known ?? (await find());
  if (commit === undefined) {
    const what = id === undefined ? `branch ${branch}` : `commit ${id.slice(0, 12)}`;
    const where = details.worktree === undefined ? 'the machine that has it' : details.worktree;
    return notHere(`The ${what} of task ${taskId} is not on ${remote.url}; go to ${where}.`);
  }
  const base = baseCommit === undefined ? undefined : await commitOf(git, folder, baseCommit);
  return { type: 'placed', place, checkedOut: undefined, taskBase, commit, base };
}

/** Null when the remote was asked. */
async function fetchInto(place: RemoteRepository, details: Review['details'], places: Places): Promise<string | null> {
  const { world, unreachable } = places;
  const { folder, repository: url } = place;
  const { remote } = place.origin;
  const before = unreachable.get(url);
  if (before !== undefined) return before;
  const branches = details.branch === undefined ? [] : [details.branch];
  const request = { folder, remote, base: details.baseCommit ?? null, branches };
  const fetched = await fetchStart(gitAt(place, places), request, cacheIn(world));
  if (fetched.type !== 'failed') return null;
  unreachable.set(url, fetched.reason);
  return fetched.reason;
}

/** The named branch, else the base of the task if it is a branch, else the one that the remote's HEAD names. */
export async function remoteTargetOf(
  { place, taskBase }: { readonly place: RemoteRepository; readonly taskBase: string | null },
  named: string | undefined,
  places: Places,
): Promise<string | NotPlaced> {
  const { remote } = place.origin;
  const git = gitAt(place, places);
  const cache = cacheIn(places.world);
  const request = { folder: place.folder, remote };
  const base = taskBase !== null && isCommitId(taskBase) ? null : taskBase;
  if (named === undefined && base?.startsWith('sg/'))
    return notHere(`The base of the task is ${base}, the branch of an attempt; name the target with --into.`);
  const head = named === undefined && base === null ? await headBranch(git, request, cache) : null;
  if (head?.type === 'failed') return notHere(head.reason);
  const target = named ?? base ?? head?.branch ?? null;
  if (target === null) return notHere(`${remote.url} has no default branch; name the target with --into.`);
  const tip = await fetchTip(git, { ...request, branch: target }, cache);
  if (tip.type === 'tip') return target;
  return notHere(
    tip.type === 'none' ? `There is no branch ${target} on ${remote.url}; name another one with --into.` : tip.reason,
  );
}
