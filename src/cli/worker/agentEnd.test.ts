import { expect, it } from 'vitest';
import type { ProcessEnd } from '../../system/processes.ts';
import { agentEnd } from './agentEnd.ts';

const output = { stdout: '', stderr: '', droppedBytes: 0, durationMs: 1 };

it.each<[ProcessEnd, string, string]>([
  [{ type: 'exited', code: 0, ...output }, 'mentions rate limit 429', 'clean'],
  [{ type: 'exited', code: 1, ...output }, 'API Error: 429 {"type":"rate_limit_error"}', 'rateLimited'],
  [{ type: 'exited', code: 75, ...output }, '', 'rateLimited'],
  [{ type: 'exited', code: 1, ...output }, 'TypeError', 'crashed'],
  [{ type: 'signalled', signal: 'SIGKILL', ...output }, 'rate limit', 'crashed'],
  [{ type: 'notStarted', error: 'no such program', code: 'ENOENT' }, '', 'launchFailed'],
  [{ type: 'notStarted', error: 'its arguments are too long', code: 'E2BIG' }, '', 'crashed'],
])('%o: %s', (end, tail, ending) => {
  expect(agentEnd(end, tail).ending).toBe(ending);
});
