import type { ClaimOutcome } from '../../../wiring/store/openedStore.ts';
import { TASK_EXIT } from '../../../wiring/store/taskExit.ts';
import type { TaskWorld } from '../../../wiring/store/taskWorld.ts';
import { claimedText, emptySentence, refusalSentence } from './claimWords.ts';

export interface Telling {
  readonly world: TaskWorld;
  /** By the store's clock. */
  readonly now: number;
  readonly worker: string;
  readonly storeFlag: boolean;
}

export type AnsweredClaim = Exclude<ClaimOutcome, { type: 'unavailable' }>;

/** The task and how to settle it, or why there is none. */
export function tellClaim(outcome: AnsweredClaim, { world, now, worker, storeFlag }: Telling): void {
  if (outcome.type === 'claimed') world.say(claimedText(outcome, { now, storeFlag }));
  else world.warn(outcome.type === 'empty' ? emptySentence(outcome, now) : refusalSentence(outcome, worker, now));
}

/** Workers that are asked to wait or to go find nothing, as far as a loop is concerned. */
const LIKE_EMPTY: readonly string[] = ['accountPaused', 'draining', 'taskNotReady'];

export function exitOfClaim(outcome: AnsweredClaim): number {
  if (outcome.type === 'claimed') return TASK_EXIT.done;
  if (outcome.type === 'empty' || LIKE_EMPTY.includes(outcome.reason)) return TASK_EXIT.nothing;
  return outcome.reason === 'staleIncarnation' ? TASK_EXIT.notYours : TASK_EXIT.wrongUse;
}
