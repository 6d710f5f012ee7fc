import type { DetachedEnd } from '../../system/detachedProcess.ts';

/** Released, another process has the slot, wrong usage, the store cannot be reached: nothing that an agent did. */
const EXPECTED: readonly (number | null)[] = [0, 1, 2, 69];
/** Longer than a task that kills its process takes until it has been lost too often. */
const APART_MS = 15 * 60_000;

/** Whether a process was killed, or failed as a whole. */
export const hasCrashed = ({ code, signal }: DetachedEnd): boolean => signal !== null || !EXPECTED.includes(code);

export interface CrashFacts {
  /** The most slots of one process otherwise. */
  readonly most: number;
  /** When a process of this fleet crashed last. */
  readonly crashedAt: number | null;
  readonly now: number;
}

/**
 * How many slots a process may have. What crashed with it is not known: it may be an agent that kills its process, and each time all
 * tasks beside it would be lost as often as its own, until they are dead, too.
 */
export function slotsAfterCrash({ most, crashedAt, now }: CrashFacts): number {
  return crashedAt !== null && now - crashedAt < APART_MS ? 1 : most;
}
