import type { DreamState } from '../../schemas/memory.ts';
import { formatSeconds } from '../../system/formatDuration.ts';

const MIN_HOURS_BETWEEN_DREAMS = 24;
const MIN_SESSIONS_BETWEEN_DREAMS = 5;
/** Fewer than this cannot be in each other's way. */
const MIN_MEMORIES = 3;
/** A failure takes its timestamp back; without this pause each turn would pay for the next one. */
const HOURS_AFTER_A_FAILURE = 1;
const HOUR_MS = 3_600_000;

export interface DreamFacts {
  readonly now: number;
  /** Undefined before the first. */
  readonly state: DreamState | undefined;
  readonly sessionsSince: number;
  readonly memories: number;
  readonly digest: string;
}

/** Why memory is not consolidated now; nothing when it is time. Costs no request, whatever it says. */
export function whyNoDream({ now, state, sessionsSince, memories, digest }: DreamFacts): string | undefined {
  const hours = state ? (now - state.lastDreamAt) / HOUR_MS : Number.POSITIVE_INFINITY;
  if (hours < MIN_HOURS_BETWEEN_DREAMS) {
    return `the last one was ${Math.max(0, Math.floor(hours))}h ago (at least ${MIN_HOURS_BETWEEN_DREAMS}h)`;
  }
  if (state?.failedAt !== undefined && now - state.failedAt < HOURS_AFTER_A_FAILURE * HOUR_MS) {
    return `the last try failed ${formatSeconds(now - state.failedAt)} ago (waits ${HOURS_AFTER_A_FAILURE}h)`;
  }
  if (sessionsSince < MIN_SESSIONS_BETWEEN_DREAMS) {
    return `${sessionsSince} session${sessionsSince === 1 ? '' : 's'} since the last one (at least ${MIN_SESSIONS_BETWEEN_DREAMS})`;
  }
  if (memories < MIN_MEMORIES) return `${memories} facts are kept (at least ${MIN_MEMORIES})`;
  if (state?.digest === digest) return 'memory has not changed since the last one';
  return undefined;
}
