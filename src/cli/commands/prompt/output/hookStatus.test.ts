import { expect, it } from 'vitest';
import type { QueryEvent } from '../../../../query/events.ts';
import { hookStatus } from './hookStatus.ts';

const progress = (type: string, hook_id: string, more: object = {}): QueryEvent => ({
  type: 'hook_progress',
  data: { type, hook_id, hook_event: 'Stop', ...more },
});

it('shows the status message of a hook that still runs, and how many have ended', () => {
  const status = hookStatus();
  const lines = [
    progress('hook_started', 'a', { statusMessage: 'Checking the work' }),
    progress('hook_started', 'b'),
    progress('hook_progress', 'b', { stdout: 'x' }),
    progress('hook_response', 'a'),
    progress('hook_response', 'b'),
    progress('hook_started', 'c', { statusMessage: 'Again…' }),
  ].map(status);
  expect(lines).toEqual([
    'Checking the work… 0/1',
    'Checking the work… 0/2',
    'Checking the work… 0/2',
    'Stop hook… 1/2',
    'Stop hook… 2/2',
    'Again… 0/1',
  ]);
});

it('ignores other events', () => {
  expect(hookStatus()({ type: 'tool_use_summary', summary: 'x' })).toBeUndefined();
});
