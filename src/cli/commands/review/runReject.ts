import { UserError } from '../../../system/userError.ts';
import { available } from '../../wiring/store/openedStore.ts';
import { openTaskStore } from '../../wiring/store/openTaskStore.ts';
import { printAnswer, type TaskWorld } from '../../wiring/store/taskWorld.ts';
import type { CommonOptions, Flags } from '../task/taskOptions.ts';
import { findOpenReview } from './findReview.ts';

type RejectOptions = CommonOptions & Flags<never, 'drop'>;

const FROM = ['waiting', 'returned', 'accepted'] as const;

/** `stopgate review reject ID "why"`. */
export async function runReject(id: string, why: string, options: RejectOptions, world: TaskWorld): Promise<number> {
  const reason = why.trim();
  if (reason === '') throw new UserError('Write why, for the next attempt: stopgate review reject ID "why".');
  await using store = await openTaskStore(options.store, world);
  const { taskId, epoch, details } = await findOpenReview(store, id, FROM);
  const notes = `A person reviewed the work of this attempt and did not accept it:\n\n${reason}`;
  const answer = available(
    await store.changeReview({
      ...{ taskId, epoch, from: [...FROM], to: 'rejected', reason, actor: world.actor },
      ...(options.drop ? {} : { requeue: { notes } }),
    }),
  );
  const isFine = answer.type === 'changed';
  const kept = `branch ${details.branch} stays`;
  const sentence = !isFine
    ? `Task ${taskId} was not rejected: ${whyNot(answer)}.`
    : options.drop
      ? `Task ${taskId} is rejected and stays ended; ${kept}.`
      : `Task ${taskId} is rejected and queued again; its next attempt continues from branch ${details.branch}, with your reason.`;
  const outcome = { taskId, epoch, ...answer, isQueued: isFine && !options.drop };
  return printAnswer(world, options, { outcome, sentence, isFine });
}

type Answer = Awaited<ReturnType<Awaited<ReturnType<typeof openTaskStore>>['changeReview']>>;

function whyNot(answer: Answer): string {
  if (answer.type !== 'refused') return 'it is gone';
  if (answer.reason === 'state') return `it is ${answer.state} now`;
  return `the unfinished task ${answer.existingId} has the same key, so it cannot be queued again (--drop leaves it ended)`;
}
