import { describe, expect, it } from 'vitest';
import { testHook } from '../../../../../tests/support/testHooks.ts';
import { eventFacts } from '../../../../hooks/events/eventTable.ts';
import { type HookEventName, type HookVerdict, NO_VERDICT } from '../../../../hooks/types.ts';
import type { HookEnd } from '../../../../hooks/verdict.ts';
import { describeVerdict } from './describeVerdict.ts';

describe('the description of a verdict', () => {
  const verdict = (event: HookEventName, more: Partial<HookVerdict>) =>
    describeVerdict({ ...NO_VERDICT, ...more }, eventFacts(event)).map(({ sentence, quotes }) =>
      [sentence, ...quotes].join(' '),
    );

  it.each<[HookEventName, Partial<HookVerdict>, readonly string[]]>([
    ['Stop', {}, ['No hook objects: the turn may end.']],
    ['Stop', { blocks: ['a', 'b'] }, ['The turn would continue; the model would see: a b']],
    ['Stop', { contexts: ['c'] }, ['The turn would continue; the model would see: c']],
    [
      'Stop',
      { blocks: ['a'], contexts: ['c'] },
      ['The turn would continue; the model would see: a', 'Context for the model: c'],
    ],
    ['Stop', { blocks: ['a'], prevented: 'enough' }, ['The turn would end: enough']],
    ['SubagentStop', { blocks: ['a'] }, ['The subagent would continue; the subagent would see: a']],
    ['UserPromptSubmit', { blocks: ['a'] }, ['The prompt would not be sent; you would see: a']],
    ['ConfigChange', { blocks: ['a'] }, ['The new settings would not be used; the reason is not shown: a']],
    [
      'PreToolUse',
      { blocks: ['a'], permission: { decision: 'deny', reason: 'a' } },
      ['The tool would not run; the model would see: a'],
    ],
    [
      'PreToolUse',
      { permission: { decision: 'allow', reason: '' }, updatedInput: { a: 1 } },
      [
        'A hook allows the call without a permission rule; deny rules still apply.',
        'The tool would get this input: {\n  "a": 1\n}',
      ],
    ],
    ['PostToolUse', { contexts: ['c'] }, ['No hook objects: the model gets the result.', 'Context for the model: c']],
    ['SessionStart', { specific: { sessionTitle: 't' } }, ['No hook objects: the session starts.', 'sessionTitle: t']],
  ])('%s %o', (event, more, expected) => {
    expect(verdict(event, more)).toEqual(expected);
  });

  it('reports hooks that did not answer, and no verdict when they were interrupted', () => {
    const hook = testHook({ type: 'command', command: 'check' });
    const printed = { stdout: '', stderr: '', durationMs: 5 };
    const failed = { hook, outcome: { type: 'failed', failure: 'answer', message: 'x', printed } } as const;
    const sentences = (...ends: HookEnd[]) =>
      describeVerdict(NO_VERDICT, eventFacts('Stop'), ends).map(({ sentence }) => sentence);
    expect(sentences(failed)).toEqual(['No hook objects: the turn may end.', '1 hook gave no verdict.']);
    expect(sentences(failed, failed)[1]).toBe('2 hooks gave no verdict.');
    expect(sentences(failed, { hook, outcome: { type: 'cancelled', printed } })).toEqual([
      'No verdict: the hooks were interrupted.',
    ]);
  });
});
