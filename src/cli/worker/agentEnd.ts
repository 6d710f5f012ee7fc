import type { AgentEnd } from '../../fleet/worker/runWorker.ts';
import type { ProcessEnd } from '../../system/processes.ts';

/** What agents print last when their provider has had enough of them; read only when they failed. */
const RATE_LIMIT = /\b429\b|rate.?limit|usage limit|quota exceeded|too many requests/i;
/** As `sysexits` has it: try again later. */
const TEMPORARY_FAILURE = 75;

export function agentEnd(end: ProcessEnd, tail: string): AgentEnd {
  // a prompt that is too long for a command line is the task's, anything else is not
  if (end.type === 'notStarted') return { ending: end.code === 'E2BIG' ? 'crashed' : 'launchFailed', why: end.error };
  if (end.type === 'exited' && end.code === 0) return { ending: 'clean', why: 'it ended by itself' };
  const how =
    end.type === 'exited'
      ? `it exited with code ${end.code}`
      : `it was ended (${end.type === 'signalled' ? end.signal : end.type})`;
  const limited = end.type === 'exited' && (end.code === TEMPORARY_FAILURE || RATE_LIMIT.test(tail));
  return { ending: limited ? 'rateLimited' : 'crashed', why: limited ? `${how}: rate limit` : how };
}
