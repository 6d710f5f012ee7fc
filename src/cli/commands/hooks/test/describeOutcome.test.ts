import { describe, expect, it } from 'vitest';
import { testEvent, testHook } from '../../../../../tests/support/testHooks.ts';
import { eventFacts } from '../../../../hooks/events/eventTable.ts';
import type { HookOutcome } from '../../../../hooks/outcome.ts';
import { readAnswer } from '../../../../hooks/readAnswer.ts';
import type { HookEventName } from '../../../../hooks/types.ts';
import { describeOutcome, describeStatus, hookOutcome } from './describeOutcome.ts';

const hook = testHook({ type: 'command', command: 'check' });
const printed = { stdout: '', stderr: '', durationMs: 5 };
const words = (event: HookEventName, outcome: HookOutcome, one = hook) =>
  describeOutcome({ hook: one, outcome }, testEvent(event, { tool_name: 'Bash' }));
const left = (event: HookEventName, stdout: unknown, exitCode = 0, stderr = '') => {
  const text = typeof stdout === 'string' ? stdout : JSON.stringify(stdout);
  return words(event, readAnswer({ ...printed, stdout: text, stderr, exitCode }, eventFacts(event)));
};
const specific = (hookEventName: HookEventName, more: object) => ({ hookSpecificOutput: { hookEventName, ...more } });

describe('the description of one hook', () => {
  it.each<[string, readonly string[], readonly string[]]>([
    ['silence', left('Stop', ''), ['no objection']],
    ['exit 2', left('Stop', '', 2, 'not yet'), ['blocks: not yet']],
    ['a block', left('Stop', { decision: 'block', reason: 'no' }), ['blocks: no']],
    ['the end', left('Stop', { continue: false, stopReason: 'enough' }), ['ends the turn: enough']],
    ['a batch that is ended', left('PostToolBatch', '', 2, 'enough'), ['blocks: enough']],
    [
      'context',
      left('Stop', specific('Stop', { additionalContext: 'look' })),
      ['context for the model: Stop hook additional context: look'],
    ],
    ['a message', left('Stop', { systemMessage: 'hello' }), ['shows you: hello']],
    [
      'a permission and a changed input',
      left('PreToolUse', specific('PreToolUse', { permissionDecision: 'allow', updatedInput: { command: 'ls' } })),
      ['allows the call', `changes the tool's input: {"command":"ls"}`],
    ],
    ['garbage', left('Stop', '{"decision": }'), ['no verdict: it printed JSON that cannot be parsed']],
    ['exit 1', left('Stop', '', 1, 'boom\nbang'), ['no verdict: Failed with non-blocking status code: boom']],
    ['a block without effect', left('SessionStart', '', 2, 'no'), ['blocks, which has no effect on SessionStart: no']],
    [
      'an end without effect',
      left('SessionStart', { continue: false }),
      ['"continue": false has no effect on SessionStart'],
    ],
    ['text that is context', left('SessionStart', 'hi'), ['context for the model: SessionStart hook success: hi']],
    [
      'text that is ignored',
      left('PostToolUse', 'hi'),
      [
        'no objection; its output is not JSON and is ignored; JSON with hookSpecificOutput.additionalContext would reach the model',
      ],
    ],
    ['text that a summary should follow', left('PreCompact', 'hi'), ['instructions: "hi"']],
    ['text without effect', left('PostCompact', 'hi'), ['no objection; its output is not JSON and is ignored']],
    [
      'a timeout',
      words('Stop', { type: 'failed', failure: 'timeout', message: 'it took longer than 3 s and was ended', printed }),
      ['no verdict: it took longer than 3 s and was ended'],
    ],
    ['an interruption', words('Stop', { type: 'cancelled', printed }), ['no verdict: it was interrupted']],
    ['one in the background', words('Stop', { type: 'background', printed }), ['not waited for']],
  ])('reads %s', (_, lines, expected) => {
    expect(lines).toEqual(expected);
  });

  it('reports that a failure blocks with onError', () => {
    const strict = testHook({ type: 'command', command: 'check', onError: 'block' });
    const failed = { type: 'failed', failure: 'execution', message: 'it is missing', printed } as const;
    const [first, second] = words('Stop', failed, strict);
    expect(first).toBe('no verdict: it is missing');
    expect(second).toContain('blocks anyway: ');
    expect(second).toContain('onError is "block"');
  });

  it.each<[string, HookOutcome, string | null]>([
    ['silence', readAnswer({ ...printed, exitCode: 0 }, eventFacts('Stop')), 'passed'],
    ['exit 2', readAnswer({ ...printed, stderr: 'no', exitCode: 2 }, eventFacts('Stop')), 'blocked'],
    ['the end', { type: 'said', reply: { prevent: 'enough', specific: {} }, printed }, 'blocked'],
    ['context', { type: 'said', reply: { context: 'look', specific: {} }, printed }, 'advised'],
    ['a crash', readAnswer({ ...printed, exitCode: 1 }, eventFacts('Stop')), 'no verdict'],
    ['garbage', readAnswer({ ...printed, stdout: '{"decision": }', exitCode: 0 }, eventFacts('Stop')), 'no verdict'],
    ['a timeout', { type: 'failed', failure: 'timeout', message: '', printed }, 'no verdict'],
    ['an interruption', { type: 'cancelled', printed }, 'no verdict'],
    ['one in the background', { type: 'background', printed }, null],
  ])('has one word for %s', (_what, outcome, word) => {
    expect(hookOutcome({ hook, outcome }, testEvent('Stop', {}))).toBe(word);
  });

  it.each(['{bad', ''])('words a block by onError beside an exit code or half an answer: %s', (stdout) => {
    const strict = testHook({ type: 'command', command: 'check', onError: 'block' });
    const plain = stdout === '' ? {} : { plain: stdout };
    const exitCode = stdout === '' ? 3 : 0;
    const outcome = { type: 'said', reply: { ...plain, specific: {} }, printed: { ...printed, exitCode } } as const;
    const lines = words('Stop', outcome, strict);
    expect(lines).toEqual([expect.stringMatching(/^blocks: Stop hook feedback:\n\[check\]: failed; blocking because/)]);
  });

  it('is blocked by a failure with onError', () => {
    const strict = testHook({ type: 'command', command: 'check', onError: 'block' });
    const outcome = { type: 'failed', failure: 'timeout', message: 'late', printed } as const;
    expect(hookOutcome({ hook: strict, outcome }, testEvent('Stop', {}))).toBe('blocked');
  });

  it.each<[HookOutcome, string]>([
    [{ type: 'said', reply: { specific: {} }, printed: { ...printed, exitCode: 2 } }, 'exit 2'],
    [{ type: 'said', reply: { specific: {} }, printed }, 'answered'],
    [{ type: 'failed', failure: 'timeout', message: '', printed }, 'timed out'],
    [{ type: 'failed', failure: 'execution', message: '', printed }, 'could not be run'],
    [{ type: 'failed', failure: 'answer', message: '', printed }, 'failed'],
    [{ type: 'failed', failure: 'answer', message: '', printed: { ...printed, exitCode: 1 } }, 'exit 1'],
    [{ type: 'cancelled', printed }, 'interrupted'],
    [{ type: 'background', printed }, 'in the background'],
  ])('names how it ended: %o', (outcome, status) => {
    expect(describeStatus(outcome)).toBe(status);
  });
});
