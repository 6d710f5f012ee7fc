import { expect, it } from 'vitest';
import { NEVER_BLOCK_WORDS, neverBlockCode } from './exemptions.ts';
import { stopSituation } from './situation.ts';

const plain = { session_id: 's', hook_event_name: 'Stop', stop_hook_active: false };
const surroundings = { switchedOff: false, insideCheck: false, remainingSeconds: null };

it.each<[object, string | null]>([
  [plain, null],
  [{ ...plain, stop_reason: 'end_turn', status: 'completed', background_tasks: [], session_crons: [] }, null],
  [{ ...plain, background_tasks: [{ id: '1', status: 'running' }] }, 'background tasks are running'],
  [{ ...plain, background_tasks: [{ id: '1', status: 'completed' }] }, null],
  [{ ...plain, session_crons: [{ id: '1' }] }, 'the session resumes by itself later'],
  [{ ...plain, crons: [{ id: '1' }] }, 'the session resumes by itself later'],
  [{ ...plain, permission_mode: 'plan' }, 'the agent is in plan mode'],
  [{ ...plain, stop_reason: 'rate_limit_error' }, 'a rate limit ended the turn'],
  [{ ...plain, status: 'aborted' }, 'the person interrupted the turn'],
  [{ ...plain, error: 'server_error' }, 'an error ended the turn'],
  [{ ...plain, background_tasks: 'odd', session_crons: 3 }, null],
  [{ hook_event_name: 'Stop' }, 'the host named no session'],
])('%o: %s', (payload, why) => {
  const code = neverBlockCode(stopSituation({ ...payload }, surroundings));
  expect(code && NEVER_BLOCK_WORDS[code]).toBe(why);
});
