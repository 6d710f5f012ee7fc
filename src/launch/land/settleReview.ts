import type { Outcome, Requests, Review } from '../../store/types.ts';
import { throughOutage } from '../throughOutage.ts';
import { type Landing, type LandingItem, type LandingStopped, stopped } from './landing.ts';

type Change = Omit<Requests['changeReview'], 'taskId' | 'epoch' | 'leader' | 'actor'>;

type Named = Pick<Review, 'taskId' | 'epoch'>;

function requestChange(
  { taskId, epoch }: Named,
  change: Change,
  { store, lease, actor, world }: Landing,
): Promise<Outcome<'changeReview'>> {
  const request = { taskId, epoch, ...change, leader: lease.leader, actor };
  return throughOutage(() => store.changeReview(request), world.clock, lease.lost);
}

/** Changes a review while this process leads; null when it did. */
export async function changed(item: Named, change: Change, landing: Landing): Promise<LandingStopped | null> {
  return whyUnchanged(item, await requestChange(item, change, landing));
}

function whyUnchanged({ taskId }: Named, answer: Outcome<'changeReview'>): LandingStopped | null {
  if (answer.type === 'changed') return null;
  if (answer.type === 'notLeading') return stopped('another process lands on this branch now');
  if (answer.type === 'unavailable') return stopped(answer.reason);
  const now = answer.type === 'refused' && answer.reason === 'state' ? `it is ${answer.state} now` : 'it is gone';
  return stopped(`task ${taskId} was changed by another process: ${now}`);
}

/** It is on the target branch. */
export async function settleLanded(
  item: LandingItem,
  commit: string,
  landing: Landing,
): Promise<LandingStopped | null> {
  const { target } = landing.place;
  const change = { from: ['landing'], to: 'landed', landedCommit: commit, target, reason: null } as const;
  const no = await changed(item, change, landing);
  if (no === null) landing.settled({ taskId: item.taskId, epoch: item.epoch, type: 'landed', commit });
  return no;
}

interface WhyReturned {
  /** One sentence. */
  readonly reason: string;
  /** For the next attempt. */
  readonly notes: string;
  /** For the person, who otherwise would have to run the checks again: the end of what failed. */
  readonly failingPart?: string | undefined;
}

/** It cannot be landed: back to the person, or to the queue if the person chose that. */
export async function settleReturned(
  item: LandingItem,
  { reason, notes, failingPart }: WhyReturned,
  landing: Landing,
): Promise<LandingStopped | null> {
  const { taskId, epoch } = item;
  const back = { from: ['landing'], reason, landedCommit: null } as const;
  if (item.returnTo === 'queue') {
    const answer = await requestChange(item, { ...back, to: 'rejected', requeue: { notes } }, landing);
    if (answer.type === 'changed') landing.settled({ taskId, epoch, type: 'returned', reason, isQueued: true });
    const isDuplicate = answer.type === 'refused' && answer.reason === 'duplicate';
    if (!isDuplicate) return whyUnchanged(item, answer);
    landing.report(`task ${taskId} cannot go back to the queue: task ${answer.existingId} has the same key`);
  }
  const whole = failingPart ? `${reason}\n\n${failingPart}` : reason;
  const no = await changed(item, { ...back, reason: whole, to: 'returned' }, landing);
  if (no === null) landing.settled({ taskId, epoch, type: 'returned', reason, isQueued: false });
  return no;
}
