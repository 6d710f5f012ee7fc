import { describe, expect, it } from 'vitest';
import type { ConfiguredHook } from '../../hooks/configuredHook.ts';
import { EMPTY_REPLY, failed, type HookOutcome, type HookReply } from '../../hooks/outcome.ts';
import { budgetEntry, hookEntry } from './sessionRecords.ts';

const printed = { stdout: 'SECRET output', stderr: '', durationMs: 12.4 };
const said = (reply: Partial<HookReply>): HookOutcome => ({
  type: 'said',
  reply: { ...EMPTY_REPLY, ...reply },
  printed,
});
const hook = (more: Partial<ConfiguredHook> = {}): ConfiguredHook => ({
  ...{ event: 'PreToolUse', kind: 'command', settings: { type: 'command' }, label: './guard.sh', source: 'project' },
  ...{ file: '/p/.claude/settings.json', path: 'hooks.PreToolUse[0].hooks[0]', line: 7, ...more },
});
const own = (label: string) => hook({ source: 'library', file: '', path: '', label, event: 'Stop' });
const block = { reason: 'no\nSECRET output', by: 'exit' } as const;

describe('the line of a hook', () => {
  it.each<[string, HookOutcome, ConfiguredHook, object | null]>([
    ['a block, with its first line', said({ block }), hook(), { verdict: 'blocked', reason: 'no' }],
    ['an end', said({ prevent: 'enough', block }), hook(), { verdict: 'ended', reason: 'enough' }],
    ['a permission', said({ permission: { decision: 'allow', reason: 'ok' } }), hook(), { verdict: 'allowed' }],
    ['a change', said({ updatedInput: {} }), hook(), { verdict: 'changed' }],
    ['a failure', failed('timeout', 'it took too long'), hook(), { verdict: 'failed', reason: 'it took too long' }],
    ['an interrupt', { type: 'cancelled', printed }, hook(), { verdict: 'cancelled' }],
    ['a pass at a stop', said({}), hook({ event: 'Stop' }), { verdict: 'passed' }],
    ['none for a pass elsewhere', said({}), hook(), null],
    ['none in the background', { type: 'background', printed }, hook({ event: 'Stop' }), null],
    ['none for gates, which record themselves', said({ block }), own('stopgate checks'), null],
    ['the time budget for the landing', said({ block }), own('stopgate landing'), { type: 'budget', budget: 'time' }],
    [
      "a person's hook with the name of a gate",
      said({ block }),
      hook({ label: 'stopgate checks' }),
      { verdict: 'blocked' },
    ],
  ])('is %s', (_name, outcome, configured, expected) => {
    const entry = hookEntry({ hook: configured, outcome }, {});
    if (expected === null) expect(entry).toBeNull();
    else expect(entry).toMatchObject(expected);
    expect(JSON.stringify(entry)).not.toContain('SECRET');
  });

  it('names file, line and entry', () => {
    expect(hookEntry({ hook: hook(), outcome: said({ block }) }, {})).toMatchObject({
      source: '/p/.claude/settings.json:7 hooks.PreToolUse[0].hooks[0]',
      durationMs: 12,
    });
  });
});

it('records what a token budget decided, and nothing at its start', () => {
  const progress = { type: 'token_budget', pct: 40, turnTokens: 800, budget: 2000, continuationCount: 0 } as const;
  expect(budgetEntry(progress)).toBeNull();
  expect(budgetEntry({ ...progress, continuationCount: 2 })).toMatchObject({
    ...{
      budget: 'tokens',
      decision: 'continued',
      reason: 'sent back at 40% (800 of 2000 output tokens), continuation 2',
    },
  });
  const message = { subtype: 'token_budget', content: 'It is used.', uuid: '', timestamp: '' };
  expect(budgetEntry({ type: 'system', level: 'notice', ...message })).toMatchObject({
    decision: 'ended',
    reason: 'It is used.',
  });
});
