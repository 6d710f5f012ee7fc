import type { AgentEnd } from '../../fleet/worker/runWorker.ts';
import type { AgentWords, HostAgent } from '../../hosts/host.ts';
import type { ProcessEnd } from '../../system/processes.ts';

/** From here on a code says that a signal ended it, which anything can send. */
const SIGNALLED_FROM = 128;

export function agentEnd(end: ProcessEnd, words: AgentWords, agent: Pick<HostAgent, 'accountTrouble'>): AgentEnd {
  // a prompt that is too long for a command line is the task's, anything else is not
  if (end.type === 'notStarted') return { ending: end.code === 'E2BIG' ? 'crashed' : 'launchFailed', why: end.error };
  if (end.type === 'exited' && end.code === 0) return { ending: 'clean', why: 'it ended by itself' };
  const trouble = end.type === 'exited' && end.code < SIGNALLED_FROM ? agent.accountTrouble(end.code, words) : null;
  const how =
    end.type === 'exited'
      ? `it exited with code ${end.code}`
      : `it was ended (${end.type === 'signalled' ? end.signal : end.type})`;
  return trouble === null
    ? { ending: 'crashed', why: how }
    : { ending: 'rateLimited', why: `${how}: ${trouble.error.replaceAll('_', ' ')}`, trouble };
}
