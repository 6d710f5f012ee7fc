import { expect, it } from 'vitest';
import { claudeAgent } from '../../hosts/claudeCode/agent.ts';
import { commandAgent } from '../../hosts/command/agent.ts';
import type { AgentWords, HostAgent } from '../../hosts/host.ts';
import { stopgateAgent } from '../../hosts/stopgate/agent.ts';
import type { ProcessEnd } from '../../system/processes.ts';
import { agentEnd } from './startAgent.ts';

type Words = Partial<AgentWords> & { readonly agent?: HostAgent };

const output = { stdout: '', stderr: '', droppedBytes: 0, durationMs: 1 };
const exited = (code: number): ProcessEnd => ({ type: 'exited', code, ...output });
const MESSAGE = 'Your organization has been disabled.';
const file = (error: string, message = MESSAGE) => ({ failure: { error, text: `details ${message}`, message } });
const claude = (tail: string): Words => ({ tail, agent: claudeAgent });
const own = (stderr: string): Words => ({ tail: `\n${stderr}`, stderr, agent: stopgateAgent });
const LIMIT = 'API Error: Request rejected (429) · later\n';

it.each<[ProcessEnd, Words, string]>([
  [exited(0), { tail: 'mentions rate limit 429' }, 'clean'],
  [exited(0), { ...claude('Done.'), ...file('rate_limit') }, 'clean'],
  [exited(1), { tail: 'API Error: 429 {"type":"rate_limit_error"}' }, 'rateLimited rate_limit'],
  [exited(1), { tail: "You've hit your 5-hour limit · resets 3:16pm (Europe/Berlin)" }, 'rateLimited rate_limit'],
  [exited(75), {}, 'rateLimited rate_limit'],
  [exited(1), { tail: 'TypeError' }, 'crashed'],
  [{ type: 'signalled', signal: 'SIGKILL', ...output }, { tail: 'rate limit' }, 'crashed'],
  [{ type: 'notStarted', error: 'no such program', code: 'ENOENT' }, {}, 'launchFailed'],
  [{ type: 'notStarted', error: 'its arguments are too long', code: 'E2BIG' }, {}, 'crashed'],
  // the file that a hook keeps counts as far as the agent itself printed the same
  [exited(1), { ...claude(LIMIT), ...file('rate_limit') }, 'rateLimited rate_limit'],
  [exited(1), { ...claude('API Error: 529 Overloaded\n'), ...file('overloaded') }, 'rateLimited overloaded'],
  [exited(1), { ...claude(`${MESSAGE}\n`), ...file('account_on_hold') }, 'rateLimited account_on_hold'],
  [exited(1), { ...claude(`{"result":"${MESSAGE}"}`), ...file('account_on_hold') }, 'rateLimited account_on_hold'],
  [exited(1), { ...claude(LIMIT), ...file('authentication_failed') }, 'rateLimited rate_limit'],
  [exited(1), { ...claude('API Error: 400 429 bad\n'), ...file('invalid_request') }, 'crashed'],
  [exited(1), { ...claude('I am done.\n'), ...file('rate_limit') }, 'crashed'],
  [exited(1), { ...claude('I am done.\n'), ...file('rate_limit', 'done.') }, 'crashed'],
  [exited(1), { ...claude(''), ...file('rate_limit', '') }, 'crashed'],
  [exited(143), { ...claude(LIMIT), ...file('rate_limit') }, 'crashed'],
  [exited(137), { ...claude(LIMIT), ...file('rate_limit') }, 'crashed'],
  [
    exited(1),
    { ...own('stopgate: The model could not be reached (rate limit).\n'), ...file('rate_limit') },
    'rateLimited rate_limit',
  ],
  [exited(1), { ...own('stopgate: Stopped at the limit of 3 model requests\n'), ...file('rate_limit') }, 'crashed'],
  [exited(1), { ...own('stopgate: The model could not be reached (rate limit).\n') }, 'crashed'],
  // a plain command has no hook, so the file is not its own
  [exited(1), file('rate_limit'), 'crashed'],
  [exited(1), { tail: `rate limit\n${'x'.repeat(400)}` }, 'crashed'],
  // and where the hook wrote nothing
  [exited(1), claude('Invalid API key · Fix external API key\n'), 'rateLimited authentication_failed'],
  [exited(1), claude('Failed to authenticate. API Error: 401 expired\n'), 'rateLimited authentication_failed'],
  [exited(1), claude('Credit balance is too low\n'), 'rateLimited billing_error'],
  [exited(1), claude('API Error: 529 Overloaded. This is a server-side issue\n'), 'rateLimited server_error'],
  [exited(1), claude('API Error: Request rejected (429) · later\n'), 'rateLimited rate_limit'],
  [exited(1), claude("You've hit your weekly limit · resets Nov 18, 8:19pm (UTC)\n"), 'rateLimited rate_limit'],
  // an agent that only talks about it
  [exited(1), claude('I added a rate limit and a test for the 429.\n'), 'crashed'],
  [exited(1), claude('API Error: 400 bad\n'), 'crashed'],
  [exited(1), claude(`Invalid API key is what the test expects\n${'x'.repeat(400)}`), 'crashed'],
  [exited(1), { tail: 'Invalid API key' }, 'crashed'],
])('%o, %o: %s', (end, { agent = commandAgent, ...words }, ending) => {
  const { trouble, ...found } = agentEnd(end, { tail: '', stderr: '', failure: null, ...words }, agent);
  expect([found.ending, trouble?.error].filter(Boolean).join(' ')).toBe(ending);
});
