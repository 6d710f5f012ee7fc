import { describe, expect, it } from 'vitest';
import type { ConfiguredHook, HookSettings } from './configuredHook.ts';
import { eventFacts } from './events/eventTable.ts';
import { type HookFailure, type HookOutcome, type HookReply, PRINTED_NOTHING } from './outcome.ts';
import type { HookEventName, HookVerdict } from './types.ts';
import { foldVerdict, type HookEnd } from './verdict.ts';

const hook = (
  label = './check.sh',
  settings: Partial<HookSettings> = {},
  more: Partial<ConfiguredHook> = {},
): ConfiguredHook => ({
  event: 'Stop',
  kind: 'command',
  settings: { type: 'command', ...settings },
  label,
  source: 'project',
  file: 'settings.json',
  path: 'hooks.Stop[0].hooks[0]',
  ...more,
});
const replied = (reply: Partial<HookReply>, by: ConfiguredHook = hook()): HookEnd => ({
  hook: by,
  outcome: { type: 'said', reply: { specific: {}, ...reply }, printed: PRINTED_NOTHING },
});
const failed = (failure: HookFailure, by: ConfiguredHook, stderr = ''): HookEnd => ({
  hook: by,
  outcome: { type: 'failed', failure, message: `the ${failure} failed`, printed: { ...PRINTED_NOTHING, stderr } },
});
const exit2 = (reason: string) => replied({ block: { by: 'exit', reason } });
const fold = (event: HookEventName, ends: readonly HookEnd[], input: Record<string, unknown> = {}): HookVerdict => {
  const row = eventFacts(event);
  const value = row.matchValue(input);
  return foldVerdict(ends, { row, title: value ? `${event}:${value}` : event, input });
};
const bash = { tool_name: 'Bash' };

it.each<[HookEventName, Record<string, unknown>, readonly string[]]>([
  ['PreToolUse', bash, ['PreToolUse:Bash hook additional context: a\nb']],
  ['SessionStart', {}, ['SessionStart hook success: plain', 'SessionStart hook additional context: a\nb']],
  ['PostToolUse', bash, ['PostToolUse:Bash hook additional context: a', 'PostToolUse:Bash hook additional context: b']],
])('what two hooks add on %s', (event, input, contexts) => {
  const ends = [replied({ context: 'a' }), replied({ plain: 'plain' }), replied({ context: 'b' })];
  expect(fold(event, ends, input).contexts).toEqual(contexts);
});

describe('the words of a block', () => {
  it.each<[HookEventName, HookEnd, Record<string, unknown>, string]>([
    ['Stop', exit2('keep going'), {}, 'Stop hook feedback:\n[./check.sh]: keep going'],
    ['Stop', replied({ block: { by: 'decision', reason: 'tests are red' } }), {}, 'Stop hook feedback:\ntests are red'],
    [
      'Stop',
      replied({ block: { by: 'judge', reason: 'no tests' } }, hook('Done? $ARGUMENTS')),
      {},
      'Stop hook feedback:\n[Done? $ARGUMENTS]: no tests',
    ],
    ['SubagentStop', exit2('deeper'), { agent_type: 'Explore' }, 'Stop hook feedback:\n[./check.sh]: deeper'],
    ['TaskCompleted', exit2('run the tests'), {}, 'TaskCompleted hook feedback:\n[./check.sh]: run the tests'],
    ['TaskCreated', exit2('no'), {}, 'TaskCreated hook feedback:\n[./check.sh]: no'],
    ['TeammateIdle', exit2('more'), {}, 'TeammateIdle hook feedback:\n[./check.sh]: more'],
    ['PreToolUse', exit2('no bash'), bash, 'PreToolUse:Bash hook error: [./check.sh]: no bash'],
    [
      'PreToolUse',
      replied({ block: { by: 'decision', reason: 'not here' } }),
      bash,
      'PreToolUse:Bash hook error: not here',
    ],
    [
      'PostToolUse',
      exit2('look again'),
      bash,
      'PostToolUse:Bash hook blocking error from command: "./check.sh": [./check.sh]: look again',
    ],
    [
      'PostToolUse',
      replied({ block: { by: 'decision', reason: 'lint' } }),
      bash,
      'PostToolUse:Bash hook blocking error from command: "./check.sh": lint',
    ],
    [
      'UserPromptSubmit',
      replied({ block: { by: 'decision', reason: 'no secrets' } }),
      {},
      'UserPromptSubmit operation blocked by hook:\nno secrets',
    ],
  ])('%s', (event, end, input, text) => {
    expect(fold(event, [end], input).blocks).toEqual([text]);
  });

  it('keeps one text per hook, in order of finishing', () => {
    expect(fold('Stop', [exit2('a'), exit2('b')]).blocks).toEqual([
      'Stop hook feedback:\n[./check.sh]: a',
      'Stop hook feedback:\n[./check.sh]: b',
    ]);
  });
});

describe('the effect of a block', () => {
  it('denies on PreToolUse, over every allow', () => {
    const verdict = fold('PreToolUse', [replied({ permission: { decision: 'allow', reason: '' } }), exit2('no')], bash);
    expect(verdict.permission).toEqual({ decision: 'deny', reason: 'PreToolUse:Bash hook error: [./check.sh]: no' });
  });

  it('ends the turn on PostToolBatch', () => {
    expect(fold('PostToolBatch', [exit2('enough')])).toMatchObject({ blocks: [], prevented: '[./check.sh]: enough' });
  });

  it.each<[HookEventName, Record<string, unknown>]>([
    ['StopFailure', {}],
    ['SessionStart', {}],
    ['PermissionRequest', bash],
    ['Notification', {}],
    ['ConfigChange', { source: 'policy_settings' }],
  ])('is nothing on %s', (event, input) => {
    expect(fold(event, [exit2('x')], input)).toMatchObject({ blocks: [], prevented: null });
  });

  it('voids what was answered to an elicitation', () => {
    const accept = replied({ specific: { action: 'accept' } });
    expect(fold('Elicitation', [accept]).specific).toEqual({ action: 'accept' });
    expect(fold('Elicitation', [accept, exit2('no')]).specific).toEqual({});
  });
});

describe('a judge that refuses', () => {
  const no = (continues = false) => replied({ block: { by: 'judge', reason: 'r', continues } }, hook('Q'));
  it.each<[HookEventName, boolean, boolean, string | null]>([
    ['Stop', false, true, null],
    ['PreToolUse', false, true, 'r'],
    ['PreToolUse', true, true, null],
    ['PostToolUse', false, true, 'r'],
    ['PostToolUse', true, true, null],
    ['TeammateIdle', false, true, 'r'],
    ['UserPromptSubmit', false, true, 'Operation stopped by hook: r'],
    ['UserPromptSubmit', true, true, null],
    ['TaskCreated', false, true, null],
    ['PostToolBatch', true, false, '[Q]: r'],
    ['PermissionRequest', false, false, null],
  ])('%s, continues: %s → blocks %s, ends %j', (event, continues, blocks, prevented) => {
    const verdict = fold(event, [no(continues)], bash);
    expect([verdict.blocks.length > 0, verdict.prevented]).toEqual([blocks, prevented]);
  });
});

describe('a hook that failed', () => {
  it('is not a verdict', () => {
    for (const failure of ['answer', 'execution', 'timeout'] as const) {
      expect(fold('Stop', [failed(failure, hook())])).toMatchObject({ blocks: [], prevented: null });
      expect(fold('PreToolUse', [failed(failure, hook())], bash)).toMatchObject({ blocks: [], permission: null });
    }
  });

  it('blocks a tool with onFailure, in the measured words', () => {
    const end = failed('answer', hook('x', { onFailure: 'block' }), 'broken\n');
    expect(fold('PreToolUse', [end], bash).blocks).toEqual([
      'PreToolUse:Bash hook error: [x]: failed; blocking because onFailure is "block"\nbroken',
    ]);
  });

  it('takes an odd exit code for a failure under onFailure, whatever was printed', () => {
    const reply = { permission: { decision: 'allow', reason: '' }, specific: {} } as const;
    const printed = { stdout: '', stderr: '', exitCode: 3, durationMs: 1 };
    const outcome = { type: 'said', reply, printed } as const;
    const strict = hook('x', { onFailure: 'block' });
    expect(fold('PreToolUse', [{ hook: strict, outcome }], bash).permission?.decision).toBe('deny');
    expect(fold('PreToolUse', [{ hook: hook('x'), outcome }], bash).permission?.decision).toBe('allow');
  });

  it('does not block a stop with onFailure, but does with onError', () => {
    expect(fold('Stop', [failed('timeout', hook('x', { onFailure: 'block' }))]).blocks).toEqual([]);
    expect(fold('Stop', [failed('timeout', hook('x', { onError: 'block' }))]).blocks).toEqual([
      'Stop hook feedback:\n[x]: failed; blocking because onError is "block"\nthe timeout failed',
    ]);
  });

  it('denies a permission request with onFailure', () => {
    const end = failed('execution', hook('x', { onFailure: 'block' }));
    expect(fold('PermissionRequest', [end], bash).specific).toMatchObject({ decision: { behavior: 'deny' } });
  });

  it('blocks a model switch when it is late, and a worktree whatever happened', () => {
    expect(fold('PreModelSwitch', [failed('timeout', hook())]).permission?.decision).toBe('deny');
    expect(fold('PreModelSwitch', [failed('answer', hook())]).permission).toBeNull();
    expect(fold('WorktreeCreate', [failed('answer', hook())]).blocks).toHaveLength(1);
  });

  it.each(['{bad', '{"decision": "block"', '{'])('counts the plain text %s as a failure with onError only', (plain) => {
    const outcome: HookOutcome = { type: 'said', reply: { plain, specific: {} }, printed: PRINTED_NOTHING };
    expect(fold('Stop', [{ hook: hook('x'), outcome }]).blocks).toEqual([]);
    expect(fold('Stop', [{ hook: hook('x', { onError: 'block' }), outcome }]).blocks).toEqual([
      'Stop hook feedback:\n[x]: failed; blocking because onError is "block"\nit printed JSON that cannot be parsed',
    ]);
  });

  it('blocks a prompt when a library callback is late', () => {
    const callback = hook('f', {}, { source: 'library' });
    expect(fold('UserPromptSubmit', [failed('timeout', callback)]).blocks).toHaveLength(1);
    expect(fold('UserPromptSubmit', [failed('timeout', hook())]).blocks).toEqual([]);
    expect(fold('Stop', [failed('timeout', callback)]).blocks).toEqual([]);
  });

  it.each<HookOutcome['type']>(['cancelled', 'background'])('%s: nothing', (type) => {
    const outcome = { type, printed: PRINTED_NOTHING } as HookOutcome;
    expect(fold('Stop', [{ hook: hook('x', { onError: 'block' }), outcome }])).toMatchObject({
      blocks: [],
      prevented: null,
    });
  });
});

describe('several hooks', () => {
  it('lets `continue: false` stand beside a block, and the first reason count', () => {
    const verdict = fold('Stop', [exit2('go on'), replied({ prevent: 'enough' }), replied({ prevent: 'later' })]);
    expect(verdict).toMatchObject({ prevented: 'enough', blocks: ['Stop hook feedback:\n[./check.sh]: go on'] });
  });

  it('ignores `continue: false` where it means nothing', () => {
    for (const event of ['TaskCreated', 'PreCompact', 'Notification'] as const) {
      expect(fold(event, [replied({ prevent: 'x' })]).prevented).toBeNull();
    }
  });

  it('takes the most restrictive permission in any order', () => {
    const permit = (decision: 'allow' | 'ask' | 'defer') => replied({ permission: { decision, reason: decision } });
    const all = [permit('allow'), permit('ask'), permit('defer')];
    expect(fold('PreToolUse', all, bash).permission?.decision).toBe('defer');
    expect(fold('PreToolUse', all.toReversed(), bash).permission?.decision).toBe('defer');
    expect(fold('PreToolUse', all.slice(0, 2), bash).permission?.decision).toBe('ask');
    expect(fold('PreModelSwitch', [permit('defer')]).permission).toBeNull();
  });

  it('uses the input of the hook that finished last, and none with a deferral', () => {
    const input = (n: number) => replied({ updatedInput: { n } });
    expect(fold('PreToolUse', [input(1), input(2)], bash).updatedInput).toEqual({ n: 2 });
    const deferral = replied({ permission: { decision: 'defer', reason: '' }, context: 'c' });
    const verdict = fold('PreToolUse', [input(1), deferral], bash);
    expect(verdict.updatedInput).toBeUndefined();
    expect(verdict.contexts).toEqual([]);
  });

  it('changes inputs before and outputs after a call, not the other way round', () => {
    const both = replied({ updatedInput: { a: 1 }, updatedToolOutput: { value: null } });
    expect(fold('PreToolUse', [both], bash)).not.toHaveProperty('updatedToolOutput');
    const after = fold('PostToolUse', [both], bash);
    expect(after).not.toHaveProperty('updatedInput');
    expect(after.updatedToolOutput).toBeNull();
  });

  it('joins watch paths, lets a denial stand, and drops fields the event does not know', () => {
    expect(
      fold('CwdChanged', [
        replied({ specific: { watchPaths: ['a', 'b'] } }),
        replied({ specific: { watchPaths: ['b', 'c'], constructor: 1 } }),
      ]).specific,
    ).toEqual({
      watchPaths: ['a', 'b', 'c'],
    });
    const deny = replied({ specific: { decision: { behavior: 'deny' } } });
    const allow = replied({ specific: { decision: { behavior: 'allow' } } });
    for (const ends of [
      [deny, allow],
      [allow, deny],
    ]) {
      expect(fold('PermissionRequest', ends, bash).specific).toEqual({ decision: { behavior: 'deny' } });
    }
  });
});

describe('contexts', () => {
  it.each<[HookEventName, Partial<HookReply>, Record<string, unknown>, readonly string[]]>([
    ['Stop', { context: 'c' }, {}, ['Stop hook additional context: c']],
    ['PostToolUse', { context: 'c' }, bash, ['PostToolUse:Bash hook additional context: c']],
    ['PreToolUse', { context: 'c' }, bash, ['PreToolUse:Bash hook additional context: c']],
    ['PostToolBatch', { context: 'c' }, {}, ['PostToolBatch hook additional context: c']],
    ['SessionStart', { plain: 'p' }, { source: 'startup' }, ['SessionStart:startup hook success: p']],
    ['UserPromptSubmit', { plain: 'p' }, {}, ['UserPromptSubmit hook success: p']],
    ['PostToolUse', { plain: 'p' }, bash, []],
    ['Stop', { plain: 'p' }, {}, []],
    ['Notification', { context: 'c' }, {}, []],
    ['DirectoryAdded', { systemMessage: 'm' }, {}, ['m']],
    ['Stop', { systemMessage: 'm' }, {}, []],
  ])('%s %j', (event, reply, input, contexts) => {
    expect(fold(event, [replied(reply)], input).contexts).toEqual(contexts);
  });

  it('takes the last line a worktree command printed as its path', () => {
    expect(fold('WorktreeCreate', [replied({ plain: 'Preparing…\n/tmp/wt \n\n' })]).specific).toEqual({
      worktreePath: '/tmp/wt',
    });
  });
});
