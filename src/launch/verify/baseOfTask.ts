import type { Attempt } from '../../store/types.ts';

/** Where all work of a task begins: an attempt that continued an earlier one began with what that one's agent made. */
export function baseOfTask(
  attempt: Pick<Attempt, 'epoch' | 'details'>,
  attempts: readonly Attempt[],
): string | undefined {
  const { continuedFrom, baseCommit } = attempt.details;
  const before =
    continuedFrom === undefined
      ? undefined
      : attempts.findLast(({ epoch, details }) => epoch < attempt.epoch && details.branch === continuedFrom);
  return (before && baseOfTask(before, attempts)) ?? baseCommit;
}
