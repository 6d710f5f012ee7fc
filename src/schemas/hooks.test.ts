import { describe, expect, it } from 'vitest';
import { HOOK_EVENTS } from './hookEventNames.ts';
import { BaseHookInputSchema, HOOK_INPUT_SCHEMAS } from './hookInputs.ts';
import { HookSpecificOutputSchema, JudgeAnswerSchema, SyncHookJSONOutputSchema } from './hookOutputs.ts';
import { HooksSchema } from './hooks.ts';

const command = { type: 'command', command: 'npm test' };

describe('HooksSchema', () => {
  it.each<[string, unknown]>([
    ['groups', { Stop: [{ matcher: 'x', hooks: [command, { type: 'prompt', prompt: 'Done?' }] }] }],
    ['flat entries', { Stop: [{ type: 'bash', command: 'npm test' }], PreToolUse: [] }],
    ['a message matcher', { Stop: [{ ...command, matcher: { pattern: 'done', source: 'tool_result' } }] }],
    [
      'a list',
      [
        { event: 'Stop', ...command },
        { event: 'Stop', hooks: [command] },
      ],
    ],
    ['nothing', {}],
  ])('accepts %s', (_, value) => {
    expect(HooksSchema.safeParse(value).success).toBe(true);
  });

  it.each<[string, unknown]>([
    ['an unknown event', { Stopp: [{ hooks: [command] }] }],
    ['an unknown kind', { Stop: [{ type: 'carrier-pigeon', command: 'x' }] }],
    ['a wrong type', { Stop: [{ ...command, timeout: '5' }] }],
    ['a listed entry without an event', [command]],
  ])('refuses %s', (_, value) => {
    expect(HooksSchema.safeParse(value).success).toBe(false);
  });
});

describe('what hooks print', () => {
  const WITHOUT = [
    'PreCompact',
    'PostCompact',
    'StopFailure',
    'SessionEnd',
    'TaskCreated',
    'TaskCompleted',
    'TeammateIdle',
    'ConfigChange',
    'InstructionsLoaded',
    'DirectoryAdded',
    'WorktreeRemove',
  ];

  it('has 22 variants of hookSpecificOutput, and none for the other events', () => {
    const accepted = HOOK_EVENTS.filter(
      (hookEventName) => HookSpecificOutputSchema.safeParse({ hookEventName }).success,
    );
    expect(accepted).toHaveLength(22);
    expect(HOOK_EVENTS.filter((name) => !accepted.includes(name)).sort()).toEqual(WITHOUT.sort());
  });

  it('ignores keys it does not know', () => {
    expect(SyncHookJSONOutputSchema.parse({ decision: 'block', color: 'red' })).toEqual({ decision: 'block' });
  });

  it('takes a judge’s quoted booleans', () => {
    expect(JudgeAnswerSchema.parse({ ok: 'No', reason: 'x' })).toEqual({ ok: false, reason: 'x' });
    expect(JudgeAnswerSchema.safeParse({ ok: 'perhaps' }).success).toBe(false);
  });
});

describe('the input of hooks', () => {
  it('has a schema for every event and lets extra fields pass', () => {
    expect(Object.keys(HOOK_INPUT_SCHEMAS).sort()).toEqual([...HOOK_EVENTS].sort());
    const stop = { stop_hook_active: false, last_assistant_message: 'x', later: 1 };
    expect(HOOK_INPUT_SCHEMAS.Stop.parse(stop)).toEqual(stop);
    expect(HOOK_INPUT_SCHEMAS.Stop.safeParse({}).success).toBe(false);
    expect(BaseHookInputSchema.safeParse({ session_id: 's' }).success).toBe(false);
  });
});
