import { describe, expect, it } from 'vitest';
import { HOOK_EVENTS, type HookEventName } from '../../../hooks/types.ts';
import { BaseHookInputSchema, HOOK_INPUT_SCHEMAS } from '../../../schemas/hookInputs.ts';
import { checkEventInput, exampleInput, subjectOf } from './eventInput.ts';

const check = (event: HookEventName, value: unknown) =>
  checkEventInput(event, { name: 'in.json', text: typeof value === 'string' ? value : JSON.stringify(value) }, '/p');

describe('the input of hooks explain and hooks test', () => {
  it.each(HOOK_EVENTS)('has a valid example for %s', (event) => {
    const { fields } = exampleInput(event, '/p');
    expect(HOOK_INPUT_SCHEMAS[event].safeParse(fields).error?.issues).toBeUndefined();
    expect(BaseHookInputSchema.partial().safeParse(fields).success).toBe(true);
    expect(check(event, {}).fields).toBeDefined();
  });

  it('fills in and names missing required fields, and leaves given and optional ones alone', () => {
    const { fields, filled } = check('PreToolUse', { tool_name: 'Edit', extra: 1 });
    expect(filled).toEqual(['tool_input', 'tool_use_id']);
    expect(fields).toMatchObject({ tool_name: 'Edit', extra: 1, tool_use_id: 'toolu_example' });
    expect(check('Stop', { stop_hook_active: true })).toMatchObject({ filled: [], fields: { stop_hook_active: true } });
    expect(check('Stop', { stop_hook_active: true }).fields).not.toHaveProperty('last_assistant_message');
  });

  it.each<[string, HookEventName, unknown, string]>([
    [
      'a trailing comma',
      'Stop',
      '{\n  "stop_hook_active": true,\n}',
      'in.json:2:27 is not JSON: there is a trailing comma',
    ],
    ['nothing', 'Stop', ' \n', 'in.json is empty; it must contain one JSON object.'],
    ['a list', 'Stop', [1], 'in.json must contain one JSON object'],
    [
      'another event',
      'Stop',
      { hook_event_name: 'PreToolUse' },
      'in.json is the input of PreToolUse (hook_event_name), not of Stop.',
    ],
    ['a wrong type', 'Stop', '{\n "stop_hook_active": "no"}', 'in.json:2:22: stop_hook_active does not fit Stop: '],
    ['a wrong common field', 'Stop', { cwd: 3 }, 'in.json:1:8: cwd does not fit Stop: '],
    ['an unknown choice', 'SessionStart', { source: 'boot' }, 'in.json:1:11: source does not fit SessionStart: '],
  ])('refuses %s', (_, event, value, sentence) => {
    expect(() => check(event, value)).toThrow(sentence);
  });

  it('replays a recorded event as it was', () => {
    const own = { sessionId: 'mine', transcriptPath: '/t', cwd: '/p', permissionMode: 'default' };
    const input = check('Stop', { session_id: 'theirs', cwd: '/q', agent_id: 'a1', stop_hook_active: false });
    expect(subjectOf(input, own)).toEqual({ ...own, sessionId: 'theirs', cwd: '/q', agentId: 'a1' });
    expect(subjectOf(exampleInput('Stop', '/p'), own)).toEqual(own);
  });
});
