import { expect, it } from 'vitest';
import type { QueryEvent } from '../../../../query/events.ts';
import { INTERRUPTED } from '../../../../query/terminal.ts';
import { TurnRecord } from './turnRecord.ts';

const base = { uuid: 'u', timestamp: '2026-01-01T10:00:00.000Z' };
const record = () => new TurnRecord((_style, text) => text);
const attachment = (fields: { type: string } & Record<string, unknown>): QueryEvent => ({
  ...base,
  type: 'attachment',
  attachment: { hookEvent: 'Stop', ...fields },
});

it.each([
  ['hook_success', '✓ Stop hook · sh a.sh · passed · 20ms'],
  ['hook_blocking_error', '✗ Stop hook · sh a.sh · blocked · 20ms'],
  ['hook_non_blocking_error', '? Stop hook · sh a.sh · no verdict · 20ms'],
  ['hook_error_during_execution', '? Stop hook · sh a.sh · no verdict · 20ms'],
  ['hook_cancelled', '- Stop hook · sh a.sh · skipped · 20ms'],
])('a closer look shows %s with its outcome and output', (type, heading) => {
  const turn = record();
  const event = attachment({ type, command: 'sh a.sh', stdout: '', stderr: 'oops\n', durationMs: 20 });
  expect(turn.see(event)).toEqual([]);
  expect(turn.whole()).toEqual([`  ${heading}`, '      oops']);
});

it('calls a hook by its status message, with the command below', () => {
  const turn = record();
  turn.see({
    type: 'hook_progress',
    data: { type: 'hook_started', hook_id: '1', command: 'sh a.sh', statusMessage: 'Checking' },
  });
  turn.see(attachment({ type: 'hook_success', command: 'sh a.sh' }));
  expect(turn.whole()).toEqual(['  ✓ Stop hook · Checking · passed', '      sh a.sh']);
});

it("prints a hook's message once, as the hook engine words it", () => {
  const turn = record();
  const notice = {
    ...base,
    type: 'system',
    subtype: 'informational',
    level: 'warning',
    content: 'Stop says: x',
  } as const;
  const message = attachment({ type: 'hook_system_message', content: 'x', command: 'sh a.sh' });
  expect([...turn.see(message), ...turn.see(notice)]).toEqual(['! Stop says: x']);
});

it('leaves an interruption to the line that ends the turn', () => {
  const turn = record();
  const content = [{ type: 'text' as const, text: INTERRUPTED }];
  expect(turn.see({ ...base, type: 'user', message: { role: 'user', content } })).toEqual([]);
  expect(turn.whole()).toEqual([INTERRUPTED]);
});
