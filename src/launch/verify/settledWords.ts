import type { Outcome } from '../../store/types.ts';

/** The state of a task after the verdict, for the log. */
export const SETTLED_WORDS: Readonly<Record<Outcome<'settleVerification'>['type'], string>> = {
  done: 'It is done.',
  requeued: 'It goes back to the queue.',
  dead: 'It is dead: it has no tries left.',
  superseded: 'The verdict does not count: the task was cancelled, or another verifier has it.',
  unavailable: 'The verdict could not be delivered, because the store does not answer; another verifier repeats it.',
};

/** Of one that goes back and is held. */
export const HELD = 'It waits for a person: `stopgate task unhold` gives it another try.';
