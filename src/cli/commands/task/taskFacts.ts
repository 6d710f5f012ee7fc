import { durationInWords } from '../../output/durations.ts';
import type { Task } from '../../wiring/store/openedStore.ts';

/** `2/3`: the second try of three. What is lost or given back uses up no try. */
export function attemptOf({ failures, maxFailures, state }: Pick<Task, 'failures' | 'maxFailures' | 'state'>): string {
  const isTried = state === 'claimed' || state === 'verifying' || state === 'done';
  return `${Math.min(maxFailures, failures + (isTried ? 1 : 0))}/${maxFailures}`;
}

const DAY_MS = 86_400_000;

/** A length of time as a table has room for it: `4s`, `3m12s`, `1h04m`, `6d`. */
export function shortAge(ms: number): string {
  if (ms >= 2 * DAY_MS) return `${Math.floor(ms / DAY_MS)}d`;
  const wholeMs = Math.max(0, Math.round(ms / 1000)) * 1000;
  return wholeMs < 60_000 ? `${wholeMs / 1000}s` : durationInWords(wholeMs);
}
