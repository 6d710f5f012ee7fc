import { nearestName } from '../../../../system/nearestName.ts';
import { ownValue } from '../../../../system/ownValue.ts';
import { UserError } from '../../../../system/userError.ts';
import type { TaskStatus } from '../../../wiring/store/openedStore.ts';

const QUEUED: readonly TaskStatus[] = ['ready', 'delayed', 'blocked', 'held'];

/** Each word of `--state`, and what it stands for. */
const WORDS: Readonly<Record<string, readonly TaskStatus[]>> = {
  queued: QUEUED,
  open: [...QUEUED, 'claimed', 'verifying'],
  ended: ['done', 'dead', 'cancelled'],
  ready: ['ready'],
  delayed: ['delayed'],
  blocked: ['blocked'],
  held: ['held'],
  claimed: ['claimed'],
  verifying: ['verifying'],
  done: ['done'],
  dead: ['dead'],
  cancelled: ['cancelled'],
};

export const STATE_WORDS = Object.keys(WORDS);

export function chosenStatuses(said: readonly string[]): readonly TaskStatus[] {
  const chosen = said.flatMap((word) => {
    const statuses = ownValue(WORDS, word.toLowerCase());
    if (statuses) return statuses;
    const nearest = nearestName(word, STATE_WORDS);
    throw new UserError(
      `There is no state '${word}'; ${nearest ? `did you mean ${nearest}?` : `there are ${STATE_WORDS.join(', ')}.`}`,
    );
  });
  return [...new Set(chosen)];
}
