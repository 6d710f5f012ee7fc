import { formatDuration } from '../../system/formatDuration.ts';
import type { Check } from './types.ts';

/** The timeout of a stop hook when no check needs more. */
const USUAL_SECONDS = 3600;
const MOST_SECONDS = 24 * 3600;
/** For the digest of the files, the answer, and a wait for another session's checks. */
const BESIDES_SECONDS = 60;
/** A hook that is still running at its host's timeout loses its verdict, so it answers earlier. */
const USED_PART = 0.95;
const SHORTEST_MARGIN_SECONDS = 5;

type Timed = Pick<Check, 'name' | 'timeoutMs'>;

/** The timeout of a stop hook in which all of these checks can run to their own timeouts, one after the other. */
export function stopHookSeconds(checks: readonly Timed[]): number {
  const needed = Math.ceil((allSeconds(checks) + BESIDES_SECONDS) / USED_PART);
  return Math.min(MOST_SECONDS, Math.max(USUAL_SECONDS, needed));
}

/** The timeout of a session start hook in settings, when no check runs then. */
export const START_SECONDS = 30;
/** What fails at the start of a session is only accepted within this time: a person waits for it. */
const MOST_START_SECONDS = 5 * 60;

/** The timeout of a session start hook in which the checks with `"baseline": "session"` can run; null when there are none. */
export function startHookSeconds(checks: readonly (Timed & Pick<Check, 'baseline'>)[]): number | null {
  const needed = allSeconds(checks.filter(({ baseline }) => baseline === 'session'));
  return needed === 0 ? null : START_SECONDS + Math.ceil(Math.min(MOST_START_SECONDS, needed));
}

/** How long a stop hook with this timeout works on its answer. */
export const usableSeconds = (timeoutSeconds: number): number =>
  timeoutSeconds - Math.max(SHORTEST_MARGIN_SECONDS, timeoutSeconds * (1 - USED_PART));

/** A sentence when checks may take longer than the stop hook; null when they fit. */
export function whyChecksDoNotFit(checks: readonly Timed[], timeoutSeconds: number): string | null {
  if (allSeconds(checks) <= usableSeconds(timeoutSeconds)) return null;
  const list = checks.map(({ name, timeoutMs }) => `${name} ${formatDuration(timeoutMs)}`).join(', ');
  const total = formatDuration(allSeconds(checks) * 1000);
  return `The checks may take ${total} (${list}), but the stop hook ends after ${formatDuration(timeoutSeconds * 1000)}. Checks that are still running then are ended and count as failed. Run \`stopgate init\` again, or shorten the timeouts of the checks.`;
}

const allSeconds = (checks: readonly Timed[]) => checks.reduce((sum, { timeoutMs }) => sum + timeoutMs / 1000, 0);
