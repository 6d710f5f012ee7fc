import { hash } from 'node:crypto';
import { existsSync, readdirSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { attempt } from '../../system/attempt.ts';
import type { Clock } from '../../system/clock.ts';
import { formatDuration } from '../../system/formatDuration.ts';
import type { Ids } from '../../system/ids.ts';
import { takeLock } from '../../system/pidLock.ts';
import type { Git } from '../git.ts';
import { plainName } from '../snapshotRef.ts';
import { exists } from '../workTree.ts';
import type { RemoteFailure } from './networkGit.ts';

/** The machine's place for repositories, and what a lock needs. */
export interface CachePlace {
  /** Stopgate's own folder. */
  readonly home: string;
  readonly clock: Clock;
  readonly ids: Ids;
}

const placeOf = ({ home }: Pick<CachePlace, 'home'>) => join(home, 'repos');

/** The clones of this machine; a link in their place is none. */
export function cacheFolders(home: string): readonly string[] {
  const place = placeOf({ home });
  const entries = attempt(() => readdirSync(place, { withFileTypes: true }), []);
  const folders = entries.filter((entry) => entry.isDirectory()).map(({ name }) => join(place, name));
  return folders.filter((folder) => existsSync(join(folder, '.git', 'HEAD')));
}

/** Readable, and different for different addresses. */
function cacheName(url: string): string {
  const name =
    plainName(
      url
        .replace(/\/+$/, '')
        .replace(/\.git$/, '')
        .replace(/^.*[/:]/, ''),
    ) || 'repository';
  return `${name.slice(0, 40)}-${hash('sha256', url).slice(0, 12)}`;
}

/** The folder of a repository without files of its own, of which worktrees are made; created at its first use. */
export async function openCache(
  git: Git,
  url: string,
  place: CachePlace,
): Promise<{ readonly type: 'cache'; readonly folder: string } | RemoteFailure> {
  const folder = join(placeOf(place), cacheName(url));
  if (await exists(join(folder, '.git', 'HEAD'))) return { type: 'cache', folder };
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const args = ['init', '--quiet', '--template=', '--initial-branch=none', '--', '.'];
  const made = await git.run({ folder, args });
  return made.type === 'failed' ? { type: 'failed', reason: made.reason } : { type: 'cache', folder };
}

const LOOK_EVERY_MS = 200;
/** Longer than any command that is run under it. */
const LONGEST_WAIT_MS = 20 * 60_000;

/** One process of this machine at a time uses a repository's remote; the lock of one that was killed is free. */
export async function withRepositoryLock<Result>(
  url: string,
  place: CachePlace,
  use: () => Promise<Result>,
  longestMs = LONGEST_WAIT_MS,
): Promise<Result | RemoteFailure> {
  const file = join(placeOf(place), `${cacheName(url)}.lock`);
  const until = place.clock.now() + longestMs;
  while (true) {
    const taken = await takeLock({ ...place, file });
    if (taken.type === 'held') {
      try {
        return await use();
      } finally {
        await taken.lock.release();
      }
    }
    if (place.clock.now() >= until) {
      const by = taken.by === undefined ? 'another process' : `process ${taken.by.pid}`;
      return { type: 'failed', reason: `${url} has been in use by ${by} for ${formatDuration(longestMs)}.` };
    }
    await place.clock.sleep(LOOK_EVERY_MS);
  }
}
