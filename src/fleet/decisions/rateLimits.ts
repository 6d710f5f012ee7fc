/** A limit belongs to the account, never to the task that hit it; its workers wake up spread out. */
export interface PauseFacts {
  readonly now: number;
  /** The reset time that the provider named. */
  readonly resetAt?: number | null | undefined;
  /** The duration that it named. */
  readonly retryAfterMs?: number | null | undefined;
  /** How many pauses in a row preceded this one without a successful request. */
  readonly attempt: number;
  /** From 0 up to 1. */
  readonly random: number;
}

const FIRST_MS = 60_000;
const LONGEST_GUESS_MS = 60 * 60_000;
/** Weekly limits exist; a later reset is a wrong clock. */
const LONGEST_NAMED_MS = 8 * 24 * 60 * 60_000;
const LEAST_SPREAD_MS = 5_000;
const MOST_SPREAD_MS = 5 * 60_000;

/** Until when an account is paused: never before the time the provider named, plus some spread. */
export function pauseUntil({ now, resetAt, retryAfterMs, attempt, random }: PauseFacts): number {
  const named = Math.max(resetAt ?? 0, retryAfterMs == null ? 0 : now + retryAfterMs) - now;
  const guess = Math.min(FIRST_MS * 2 ** Math.min(Math.max(0, attempt), 20), LONGEST_GUESS_MS);
  const waitMs = named > 0 ? Math.min(named, LONGEST_NAMED_MS) : guess;
  return wakeAt(now, now + waitMs, random);
}

/** When one of several waiting workers resumes: up to a tenth of the wait later. */
export function wakeAt(waitedSince: number, until: number, random: number): number {
  const spread = Math.min(Math.max((until - waitedSince) / 10, LEAST_SPREAD_MS), MOST_SPREAD_MS);
  return Math.floor(until + spread * random);
}
