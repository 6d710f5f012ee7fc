import type { AttemptDetails } from './attempt.ts';
import type { Task } from './task.ts';

/** `details.verify` of an attempt whose project has a definition of done. */
export const DEFINITION_OF_DONE = 'definition of done';

/** `details.verify` of an attempt whose task has a judge and nothing that it has to pass before: then no model may decide alone. */
export const JUDGE_ALONE = 'judge alone';

/** `verify` of a task that is done when it is completed. */
export const NO_VERIFICATION = '';

/** Whether completed work goes to a verifier: the task decides, and where it names nothing, the attempt. */
export function needsVerifier(
  verify: string | null,
  { verify: ofAttempt = '' }: Pick<AttemptDetails, 'verify'>,
): boolean {
  return (verify ?? ofAttempt) !== NO_VERIFICATION;
}

/** Whether no verifier has a completed task at this time: one that is gone does not renew its time. */
export function lacksVerifier(
  { verifyHolder, verifyUntil }: Pick<Task, 'verifyHolder' | 'verifyUntil'>,
  now: number,
): boolean {
  return verifyHolder === null || (verifyUntil ?? 0) <= now;
}
