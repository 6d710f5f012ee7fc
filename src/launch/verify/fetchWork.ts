import type { Git } from '../../git/git.ts';
import type { RemoteFailure } from '../../git/remote/networkGit.ts';
import { readAddress } from '../../git/remote/repositoryAddress.ts';
import { openCache } from '../../git/remote/repositoryCache.ts';
import { worldGit } from '../../stop/worldGit.ts';
import type { Attempt } from '../../store/types.ts';
import { systemIds } from '../../system/ids.ts';
import type { World } from '../../system/world.ts';
import { hasCommit } from '../attempt/repository/commits.ts';
import { fetchStart } from '../attempt/repository/fetchStart.ts';

export interface FetchedWork {
  readonly type: 'fetched';
  /** The machine's own clone. */
  readonly folder: string;
  readonly git: Git;
}

interface WantedWork {
  /** Of the task. */
  readonly repository: string | null;
  readonly attempt: Attempt;
  readonly commit: string;
}

/** The commit of an attempt of another machine, from the remote of its task; null for a task without one. */
export async function fetchWork(
  { repository, attempt, commit }: WantedWork,
  world: Pick<World, 'processes' | 'env' | 'cwd' | 'stopgateHome' | 'clock'>,
): Promise<FetchedWork | RemoteFailure | null> {
  const remote = repository === null ? null : readAddress(repository, world.cwd);
  if (remote?.type !== 'remote') return null;
  const place = { home: world.stopgateHome, clock: world.clock, ids: systemIds };
  const cache = await openCache(worldGit({ ...world, cwd: world.stopgateHome }), remote.url, place);
  if (cache.type === 'failed') return cache;
  const { folder } = cache;
  const git = worldGit({ ...world, cwd: folder });
  const branches = attempt.details.branch === undefined ? [] : [attempt.details.branch];
  const { baseCommit = null } = attempt.details;
  if (!(await hasCommit(git, folder, commit))) {
    const fetched = await fetchStart(git, { folder, remote, base: baseCommit, branches }, place);
    if (fetched.type === 'failed') return fetched;
  }
  if (await hasCommit(git, folder, commit)) return { type: 'fetched', folder, git };
  return { type: 'failed', reason: `it is not on ${remote.url} either` };
}
