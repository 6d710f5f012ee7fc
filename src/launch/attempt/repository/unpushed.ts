import { readdirSync, rmSync } from 'node:fs';
import path from 'node:path';
import { readRef } from '../../../git/commitObject.ts';
import type { Git } from '../../../git/git.ts';
import { withNetwork } from '../../../git/remote/networkGit.ts';
import type { RefPush } from '../../../git/remote/pushRefs.ts';
import { readAddress } from '../../../git/remote/repositoryAddress.ts';
import { snapshotRef } from '../../../git/snapshotRef.ts';
import { oneLine } from '../../../git/workTree.ts';
import { jsonValue } from '../../../schemas/jsonValue.ts';
import { type UnpushedWork, unpushedWork } from '../../../schemas/unpushedWork.ts';
import { worldGit } from '../../../stop/worldGit.ts';
import { keptFileName } from '../../../store/outbox/keptFiles.ts';
import type { Lease, Store } from '../../../store/types.ts';
import { attempt } from '../../../system/attempt.ts';
import { readSealedFile, writeSealedFile } from '../../../system/sealedFile.ts';
import type { World } from '../../../system/world.ts';
import { attemptName } from '../taskFolders.ts';
import { type Pushed, pushAll } from './pushWork.ts';

/*
 * A settled task has no next checkpoint. What its remote did not take is noted on this machine, and workers and coordinators push it when
 * the remote takes it again. The notes are sealed, and the store must know the branch: with the user's keys, an agent's own note would
 * push any branch of any repository.
 */

const folderOf = (stopgateHome: string) => path.join(stopgateHome, 'unpushed');

export interface NotPushed {
  /** The location of the store. */
  readonly store: string;
  readonly lease: Lease;
  /** The attempt's worktree. */
  readonly folder: string;
  readonly branch: string;
  readonly before: Pushed;
}

/** Durable when it resolves. */
export async function noteUnpushed(git: Git, stopgateHome: string, { folder, ...work }: NotPushed): Promise<void> {
  const common = await oneLine(git, folder, ['rev-parse', '--path-format=absolute', '--git-common-dir']);
  if (common === undefined) return;
  // git refuses to work inside of a git folder
  const repository = path.basename(common) === '.git' ? path.dirname(common) : common;
  const record: UnpushedWork = { version: 1, ...work, repository };
  const file = path.join(folderOf(stopgateHome), keptFileName(work.lease.attemptId));
  await writeSealedFile(stopgateHome, file, JSON.stringify(record));
}

export interface Unpushed {
  readonly store: Store;
  readonly world: Pick<World, 'processes' | 'env' | 'stopgateHome'>;
  readonly report: (sentence: string) => void;
}

/** Pushes what earlier attempts of this machine could not push. What fails again stays noted, without another report. */
export async function pushUnpushed(unpushed: Unpushed, signal: AbortSignal): Promise<void> {
  const folder = folderOf(unpushed.world.stopgateHome);
  const names = attempt(() => readdirSync(folder), []).filter((name) => name.endsWith('.json'));
  if (names.length === 0) return;
  const about = await unpushed.store.about({});
  for (const name of names) {
    if (signal.aborted || about.type === 'unavailable') return;
    const file = path.join(folder, name);
    const work = await readNote(unpushed, file);
    if (work === null || ![about.location, ...about.movedFrom].includes(work.store)) continue;
    if (await pushOne(unpushed, work, work.store !== about.location))
      attempt(() => rmSync(file, { force: true }), undefined);
  }
}

const reported = new Set<string>();

async function readNote({ world, report }: Unpushed, file: string): Promise<UnpushedWork | null> {
  const read = await readSealedFile(world.stopgateHome, file);
  // pushed by another process meanwhile
  if (read.type === 'missing') return null;
  const work = unpushedWork.safeParse(read.type === 'sealed' ? jsonValue(read.text) : undefined).data;
  if (work !== undefined && keptFileName(work.lease.attemptId) === path.basename(file)) return work;
  if (!reported.has(file)) report(`${file} was not written by Stopgate, so nothing is pushed for it; look at it`);
  reported.add(file);
  return null;
}

/** True when it need not be pushed any more. */
async function pushOne({ store, world, report }: Unpushed, work: UnpushedWork, hasMoved: boolean): Promise<boolean> {
  const { lease, repository, branch, before } = work;
  const listed = await store.attempts({ taskId: lease.taskId });
  if (listed.type === 'unavailable') return false;
  const own = listed.attempts.find(({ id }) => id === lease.attemptId);
  // it may be of a store that was created since in the place of the one that moved
  if (own === undefined && hasMoved) return false;
  // pruned, or never its branch
  if (own?.details.branch !== branch) {
    report(
      `branch ${branch} of ${repository} is not pushed: the store does not know it as that of an attempt any more`,
    );
    return true;
  }
  const found = await store.task({ id: lease.taskId });
  if (found.type === 'unavailable') return false;
  const repositoryOfTask = found.type === 'found' ? found.task.repository : null;
  const address = repositoryOfTask === null ? null : readAddress(repositoryOfTask, '/');
  const git = worldGit({ ...world, cwd: repository });
  const commit = (await readRef(git, repository, `refs/heads/${branch}`).catch(() => undefined))?.commit;
  // the task was pruned, or a person removed its branch
  if (address?.type !== 'remote' || commit === undefined) return true;
  const pushes: readonly RefPush[] = [
    { ref: `refs/heads/${branch}`, commit, before: before.commit },
    // what was not committed then is on the branch now
    ...(before.wip === null ? [] : [{ ref: snapshotRef(attemptName(lease)), commit: null, before: before.wip }]),
  ];
  const done = await withNetwork(git, { folder: repository, remote: address }, async (network) => ({
    type: 'answered' as const,
    failures: await pushAll(git, repository, { network, pushes }),
  }));
  if (done.type === 'failed' || done.failures.size > 0) return false;
  const details = { pushedCommit: commit, pushedWip: '', pushProblem: '' };
  const { workerId, incarnation } = lease;
  const noted = await store.heartbeat({ workerId, incarnation, lease, details });
  // once more, which pushes nothing
  if (noted.type === 'unavailable') return false;
  report(`the work of task ${lease.taskId} is on its remote now`);
  return true;
}
