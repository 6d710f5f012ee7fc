import { expect, it } from 'vitest';
import type { ProcessEnd } from '../../system/processes.ts';
import { type AgentWords, agentEnd } from './agentEnd.ts';

const output = { stdout: '', stderr: '', droppedBytes: 0, durationMs: 1 };
const exited = (code: number): ProcessEnd => ({ type: 'exited', code, ...output });
const told = (error: string): Partial<AgentWords> => ({ failure: { error, text: 'said' } });
const claude = (tail: string): Partial<AgentWords> => ({ tail, isClaude: true });

it.each<[ProcessEnd, Partial<AgentWords>, string]>([
  [exited(0), { tail: 'mentions rate limit 429' }, 'clean'],
  [exited(0), told('rate_limit'), 'clean'],
  [exited(1), { tail: 'API Error: 429 {"type":"rate_limit_error"}' }, 'rateLimited rate_limit'],
  [exited(1), { tail: "You've hit your 5-hour limit · resets 3:16pm (Europe/Berlin)" }, 'rateLimited rate_limit'],
  [exited(75), {}, 'rateLimited rate_limit'],
  [exited(1), { tail: 'TypeError' }, 'crashed'],
  [{ type: 'signalled', signal: 'SIGKILL', ...output }, { tail: 'rate limit' }, 'crashed'],
  [{ type: 'notStarted', error: 'no such program', code: 'ENOENT' }, {}, 'launchFailed'],
  [{ type: 'notStarted', error: 'its arguments are too long', code: 'E2BIG' }, {}, 'crashed'],
  // what the hook was told is surer than what was printed
  [exited(1), told('authentication_failed'), 'rateLimited authentication_failed'],
  [exited(1), { ...told('invalid_request'), tail: 'error 429' }, 'crashed'],
  // and where it was told nothing
  [exited(1), claude('Invalid API key · Fix external API key\n'), 'rateLimited authentication_failed'],
  [exited(1), claude('Failed to authenticate. API Error: 401 expired\n'), 'rateLimited authentication_failed'],
  [exited(1), claude('Credit balance is too low\n'), 'rateLimited billing_error'],
  [exited(1), claude('API Error: 529 Overloaded. This is a server-side issue\n'), 'rateLimited server_error'],
  [exited(1), claude('API Error: Request rejected (429) · later\n'), 'rateLimited rate_limit'],
  [exited(1), claude("You've hit your weekly limit · resets Nov 18, 8:19pm (UTC)\n"), 'rateLimited rate_limit'],
  // an agent that only talks about it
  [exited(1), claude('I added a rate limit and a test for the 429.\n'), 'crashed'],
  [exited(1), claude('API Error: 400 bad\n'), 'crashed'],
  [exited(1), claude(`Invalid API key is what the test says\n${'x'.repeat(400)}`), 'crashed'],
  [exited(1), { tail: 'Invalid API key' }, 'crashed'],
])('%o, %o: %s', (end, words, ending) => {
  const { trouble, ...said } = agentEnd(end, { tail: '', failure: null, isClaude: false, ...words });
  expect([said.ending, trouble?.error].filter(Boolean).join(' ')).toBe(ending);
});
