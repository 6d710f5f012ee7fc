import { existsSync } from 'node:fs';
import { realpath } from 'node:fs/promises';
import type { Git } from '../../git/git.ts';
import { commitOf } from '../../git/landing/combineWork.ts';
import { tipOf } from '../../git/landing/moveTarget.ts';
import { readAddress } from '../../git/remote/repositoryAddress.ts';
import { findWorkTree, oneLine, type WorkTree } from '../../git/workTree.ts';
import { ownName } from '../../system/thisHost.ts';
import { isOfTask } from '../attempt/repository/localRepository.ts';
import type { LandingPlace, NotPlaced, PlacedWork } from './landing.ts';
import { notHere, type Places, type Placing, placeRemoteWork, remoteOf, remoteTargetOf } from './remotePlace.ts';

/**
 * Finds the repository of an attempt, and its commit: the one that was verified, not what its branch points to later. The only place
 * that knows where repositories are.
 */
export async function placeWork(review: Placing, places: Places): Promise<PlacedWork | NotPlaced> {
  const asked = await places.store.task({ id: review.taskId });
  if (asked.type === 'unavailable') return notHere(asked.reason);
  const remote = asked.type === 'found' ? remoteOf(asked.task, places.world) : null;
  const repository = asked.type === 'found' ? asked.task.repository : null;
  if (asked.type !== 'found' || remote === null) return await placeHere(review, repository, places);
  return await placeRemoteWork(review, { remote, base: asked.task.base }, places);
}

async function placeHere(
  { details, taskId, reviewedCommit }: Placing,
  ofTask: string | null,
  { git, world: { cwd } }: Pick<Places, 'git' | 'world'>,
): Promise<PlacedWork | NotPlaced> {
  const { branch, worktree, baseCommit } = details;
  const name = reviewedCommit ?? details.verifiedCommit ?? details.headCommit ?? `refs/heads/${branch}`;
  // a worktree has the branch of its attempt checked out, its repository the one that the work is for
  for (const folder of new Set([cwd, ...folderOfTask(ofTask), ...(worktree === undefined ? [] : [worktree])])) {
    const found = existsSync(folder) ? await findWorkTree(git, folder) : null;
    if (found?.type !== 'workTree') continue;
    const commit = await commitOf(git, found.topLevel, name);
    if (commit === undefined || (folder !== cwd && !(await isOfTask(git, folder, ofTask)))) continue;
    const base = baseCommit === undefined ? undefined : await commitOf(git, found.topLevel, baseCommit);
    const place = { repository: await repositoryName(git, found), folder: found.topLevel };
    return { type: 'placed', place, checkedOut: found.branch, taskBase: null, commit, base };
  }
  const what = name.startsWith('refs/') ? `branch ${branch}` : `commit ${name.slice(0, 12)}`;
  return notHere(`The ${what} of task ${taskId} is not in the repository of ${cwd}; go there first.`);
}

function folderOfTask(repository: string | null): readonly string[] {
  const address = repository === null ? null : readAddress(repository, '/');
  return address?.type === 'folder' ? [address.path] : [];
}

/** A repository without a remote exists on one machine only, whatever folder it is named by. */
async function repositoryName(git: Git, { topLevel, gitDir }: WorkTree): Promise<string> {
  const args = ['rev-parse', '--path-format=absolute', '--git-common-dir'];
  const common = (await oneLine(git, topLevel, args)) ?? gitDir;
  return `${ownName()}:${await realpath(common).catch(() => common)}`;
}

/** The repository of a folder, as landing queues name it. */
export async function repositoryHere(
  git: Git,
  cwd: string,
): Promise<({ readonly type: 'here' } & Omit<LandingPlace, 'target'>) | NotPlaced> {
  const found = await findWorkTree(git, cwd);
  if (found.type !== 'workTree') return notHere(found.reason);
  return { type: 'here', repository: await repositoryName(git, found), folder: found.topLevel };
}

/** The branch that accepted work goes to: the named one, else that of the task, or for a local repository the one that is checked out. */
export async function targetOf(
  { place, checkedOut, taskBase }: Pick<PlacedWork, 'place' | 'checkedOut' | 'taskBase'>,
  named: string | undefined,
  places: Places,
): Promise<string | NotPlaced> {
  const { git } = places;
  const { origin } = place;
  if (origin !== undefined) return await remoteTargetOf({ place: { ...place, origin }, taskBase }, named, places);
  const target = named ?? checkedOut;
  if (target === undefined) return notHere(`No branch is checked out in ${place.folder}; name one with --into.`);
  if (named === undefined && target.startsWith('sg/'))
    return notHere(`${place.folder} has ${target} checked out, the branch of an attempt; name the target with --into.`);
  if ((await tipOf(git, { folder: place.folder, branch: target })) !== undefined) return target;
  return notHere(`There is no branch ${target} in ${place.folder}; name another one with --into.`);
}
