import { existsSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import { outputOf } from '../../../git/git.ts';
import { commitOf } from '../../../git/landing/combineWork.ts';
import { gitAt, openPlaces } from '../../../launch/land/remotePlace.ts';
import { UserError } from '../../../system/userError.ts';
import { thisWorld } from '../../../system/world.ts';
import { openTaskStoreToShow } from '../../wiring/store/openTaskStore.ts';
import { printAnswer, type TaskWorld } from '../../wiring/store/taskWorld.ts';
import type { CommonOptions, Flags } from '../task/taskOptions.ts';
import { findReview } from './findReview.ts';
import { gatherReview } from './gatherReview.ts';
import { runEditor } from './personsPrograms.ts';

type OpenOptions = CommonOptions & Flags<never, 'print'>;

/** `stopgate review open ID`: the work in a folder, in the person's editor. */
export async function runReviewOpen(id: string, options: OpenOptions, taskWorld: TaskWorld): Promise<number> {
  await using store = await openTaskStoreToShow(options.store, taskWorld);
  const review = await findReview(store, id);
  const world = thisWorld();
  const places = openPlaces(store, world);
  const { work, whyNoWork } = await gatherReview(review, places);
  if (work === null) throw new UserError(whyNoWork ?? 'Its work is not in this repository.');
  const git = gitAt(work.place, places);
  const { worktree } = review.details;
  const isThere =
    worktree !== undefined && existsSync(worktree) && (await commitOf(git, worktree, 'HEAD')) === work.commit;
  const folder = isThere ? worktree : path.join(world.stopgateHome, 'review', `${review.taskId}-${review.epoch}`);
  if (!isThere && !existsSync(folder)) {
    await mkdir(path.dirname(folder), { recursive: true, mode: 0o700 });
    // a worktree that was removed by hand is still in git's list
    await git.run({ folder: work.place.folder, args: ['worktree', 'prune'] });
    const args = ['worktree', 'add', '--quiet', '--detach', '--', folder, work.commit];
    await outputOf(git, { folder: work.place.folder, args, mayFetch: true });
  }
  await world.processes.endAll();
  const isShown = !options.print && !options.json && process.stdout.isTTY === true && runEditor(folder, world);
  const outcome = { taskId: review.taskId, commit: work.commit, folder };
  return isShown ? 0 : printAnswer(taskWorld, options, { outcome, sentence: folder });
}
