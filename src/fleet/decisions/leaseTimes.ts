import { parseDuration } from '../../budget/timeBudget.ts';

/** How long a silent worker keeps its task, and what follows from that. */
export interface LeaseTimes {
  /** From its last heartbeat until another machine may take its task: silent, suspect, lost. */
  readonly leaseMs: number;
  /** Longer silence makes it suspect. */
  readonly heartbeatMs: number;
  /** From suspect to lost. */
  readonly graceMs: number;
  /** Between two heartbeats. */
  readonly beatMs: number;
  /** A worker that is cut off from its store ends its agent this long after its last heartbeat, so that it is gone in time. */
  readonly fenceAfterMs: number;
  /** The term of a coordinator that leads. */
  readonly leadMs: number;
}

/** The variable that sets another lease; the same on every machine of a store, or an agent could outlive its lease. */
const LEASE_VARIABLE = 'STOPGATE_LEASE';

const DEFAULT_MS = 3 * 60_000;
/** An agent that ignores SIGINT is killed after 3s; what it started is ended after that. */
const LEAST_END_MS = 5_000;
export const LEAST_LEASE_MS = 2 * LEAST_END_MS;

const LONGEST_BEAT_MS = 15_000;
const LEAST_TERM_MS = 10_000;
const LONGEST_TERM_MS = 30_000;

export function leaseTimes(leaseMs: number = DEFAULT_MS): LeaseTimes {
  const sixth = leaseMs / 6;
  return {
    leaseMs,
    heartbeatMs: 4 * sixth,
    graceMs: 2 * sixth,
    beatMs: Math.min(LONGEST_BEAT_MS, sixth / 2),
    fenceAfterMs: leaseMs - Math.max(LEAST_END_MS, sixth),
    leadMs: Math.min(LONGEST_TERM_MS, Math.max(LEAST_TERM_MS, sixth)),
  };
}

export const DEFAULT_LEASE: LeaseTimes = leaseTimes();

/** A text says why the variable cannot be used. */
export function leaseFrom(env: Readonly<Record<string, string | undefined>>): LeaseTimes | string {
  const text = env[LEASE_VARIABLE];
  if (text === undefined || text === '') return DEFAULT_LEASE;
  const seconds = parseDuration(text);
  if (seconds !== null && seconds * 1000 >= LEAST_LEASE_MS) return leaseTimes(seconds * 1000);
  const least = `${LEAST_LEASE_MS / 1000}s`;
  return `${LEASE_VARIABLE} must be a duration of at least ${least}, such as 3m, got "${text}"; set the same on every machine of the store.`;
}
