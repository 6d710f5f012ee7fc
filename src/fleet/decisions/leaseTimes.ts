import { parseDuration } from '../../budget/timeBudget.ts';
import type { Environment } from '../../system/environment.ts';
import { formatSeconds } from '../../system/formatDuration.ts';

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

/**
 * What the first worker or coordinator of a store may choose another lease with. From then on the lease is the store's, or an agent could
 * outlive what another machine grants it.
 */
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

/** Of the variable; undefined without one. A text says why it cannot be used. */
export function wishedLease(env: Environment): number | string | undefined {
  const text = env[LEASE_VARIABLE];
  return text === undefined || text === '' ? undefined : readLease(LEASE_VARIABLE, text);
}

/** In milliseconds. A text says why it is not a lease. */
export function readLease(name: string, text: string): number | string {
  const ms = Math.round((parseDuration(text) ?? 0) * 1000);
  if (ms >= LEAST_LEASE_MS) return ms;
  return `${name} must be a duration of at least ${LEAST_LEASE_MS / 1000}s, such as 3m, got "${text}".`;
}

/**
 * The lease of a store is the one that is recorded there (null: none yet), so machines without the variable follow it. A text says why
 * this one cannot take part.
 */
export function leaseOfStore(env: Environment, recordedMs: number | null): LeaseTimes | string {
  const wished = wishedLease(env);
  if (typeof wished === 'string') return wished;
  const leaseMs = recordedMs ?? wished ?? DEFAULT_MS;
  return wished === undefined || wished === leaseMs ? leaseTimes(leaseMs) : describeOtherLease(wished, leaseMs);
}

/** `ownMs`: of the worker or coordinator that the store refuses. */
export function describeOtherLease(ownMs: number, storeMs: number): string {
  const [own, stores] = [formatLease(ownMs), formatLease(storeMs)];
  const change = `end all workers and coordinators of the store and run \`stopgate store lease ${own}\``;
  return `The lease here is ${own}, but that of the store is ${stores}: unset ${LEASE_VARIABLE} and start again, or ${change}.`;
}

/** As the variable and `stopgate store lease` read it: nothing is rounded. */
export function formatLease(leaseMs: number): string {
  const shown = formatSeconds(leaseMs);
  return parseDuration(shown) === leaseMs / 1000 ? shown : `${leaseMs / 1000}s`;
}
