import { describe, expect, it } from 'vitest';
import { eventFacts } from '../../../../hooks/events/eventTable.ts';
import { testHook } from '../../../../hooks/testHooks.ts';
import { type HookEventName, type HookVerdict, NO_VERDICT } from '../../../../hooks/types.ts';
import type { HookEnd } from '../../../../hooks/verdict.ts';
import { verdictInWords } from './verdictInWords.ts';

describe('a verdict in words', () => {
  const verdict = (event: HookEventName, more: Partial<HookVerdict>) =>
    verdictInWords({ ...NO_VERDICT, ...more }, eventFacts(event)).map(({ sentence, quotes }) =>
      [sentence, ...quotes].join(' '),
    );

  it.each<[HookEventName, Partial<HookVerdict>, readonly string[]]>([
    ['Stop', {}, ['Nobody objects: the turn may end.']],
    ['Stop', { blocks: ['a', 'b'] }, ['The turn would go on; the model is told: a b']],
    ['Stop', { contexts: ['c'] }, ['The turn would go on; the model is told: c']],
    [
      'Stop',
      { blocks: ['a'], contexts: ['c'] },
      ['The turn would go on; the model is told: a', 'Context for the model: c'],
    ],
    ['Stop', { blocks: ['a'], prevented: 'enough' }, ['The turn would end: enough']],
    ['SubagentStop', { blocks: ['a'] }, ['The subagent would go on; the subagent is told: a']],
    ['UserPromptSubmit', { blocks: ['a'] }, ['The prompt would not be sent; you are told: a']],
    ['ConfigChange', { blocks: ['a'] }, ['The new settings would not be used; nobody is told: a']],
    [
      'PreToolUse',
      { blocks: ['a'], permission: { decision: 'deny', reason: 'a' } },
      ['The tool would not run; the model is told: a'],
    ],
    [
      'PreToolUse',
      { permission: { decision: 'allow', reason: '' }, updatedInput: { a: 1 } },
      [
        'A hook allows it: no permission rule has to, though a deny rule still holds.',
        'The tool would get this input: {\n  "a": 1\n}',
      ],
    ],
    ['PostToolUse', { contexts: ['c'] }, ['Nobody objects: the model gets the result.', 'Context for the model: c']],
    ['SessionStart', { specific: { sessionTitle: 't' } }, ['Nobody objects: the session starts.', 'sessionTitle: t']],
  ])('%s %o', (event, more, expected) => {
    expect(verdict(event, more)).toEqual(expected);
  });

  it('says when hooks did not answer, and claims nothing when they were interrupted', () => {
    const hook = testHook({ type: 'command', command: 'check' });
    const printed = { stdout: '', stderr: '', durationMs: 5 };
    const failed = { hook, outcome: { type: 'failed', failure: 'answer', message: 'x', printed } } as const;
    const sentences = (...ends: HookEnd[]) =>
      verdictInWords(NO_VERDICT, eventFacts('Stop'), ends).map(({ sentence }) => sentence);
    expect(sentences(failed)).toEqual(['Nobody objects: the turn may end.', '1 hook gave no verdict.']);
    expect(sentences(failed, failed)[1]).toBe('2 hooks gave no verdict.');
    expect(sentences(failed, { hook, outcome: { type: 'cancelled', printed } })).toEqual([
      'There is no verdict: the hooks were interrupted.',
    ]);
  });
});
