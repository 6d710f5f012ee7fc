import { describe, expect, it } from 'vitest';
import { eventFacts } from './events/eventTable.ts';
import type { HookOutcome, HookPrinted } from './outcome.ts';
import { readAnswer } from './readAnswer.ts';
import type { HookEventName } from './types.ts';

const printed = (exitCode: number, stdout: string, stderr = ''): HookPrinted => ({
  exitCode,
  stdout,
  stderr,
  durationMs: 1,
});
const read = (exitCode: number, stdout: unknown, stderr = '', event: HookEventName = 'Stop'): HookOutcome =>
  readAnswer(
    printed(exitCode, typeof stdout === 'string' ? stdout : JSON.stringify(stdout), stderr),
    eventFacts(event),
  );
const replyIn = (outcome: HookOutcome) => (outcome.type === 'said' ? outcome.reply : outcome.type);
const failure = (outcome: HookOutcome) => (outcome.type === 'failed' ? outcome.message : `not failed: ${outcome.type}`);
const specific = (event: HookEventName, fields: object) => ({
  hookSpecificOutput: { hookEventName: event, ...fields },
});

describe('exit 0', () => {
  it('is empty without output', () => {
    expect(replyIn(read(0, '  \n'))).toEqual({ specific: {} });
  });

  it.each([
    ['text', 'all good'],
    ['an array', '[1]'],
    ['a quoted string', '"x"'],
    ['an object that does not end', '{"decision": "block", "reason": '],
    ['lines of JSON without a field of ours', '{"level":"info"}\n{"level":"warn"}'],
  ])('takes %s as plain text', (_, stdout) => {
    expect(replyIn(read(0, stdout))).toEqual({ plain: stdout.trim(), specific: {} });
  });

  it.each([
    ['a byte-order mark', '\uFEFF{"decision":"block","reason":"r"}'],
    ['CRLF', '{\r\n"decision":"block",\r\n"reason":"r"}\r\n'],
    ['spaces around it', '\n\n  {"decision":"block","reason":"r"}  \n'],
    ['unknown keys', '{"decision":"block","reason":"r","color":1}'],
  ])('reads an answer with %s', (_, stdout) => {
    expect(replyIn(read(0, stdout))).toEqual({ block: { by: 'decision', reason: 'r' }, specific: {} });
  });

  it('blocks without a reason', () => {
    expect(replyIn(read(0, { decision: 'block' }))).toEqual({
      block: { by: 'decision', reason: 'Blocked by hook' },
      specific: {},
    });
  });

  it('does not block for approve, and on a permission event lets the call pass', () => {
    expect(replyIn(read(0, { decision: 'approve', reason: 'fine' }))).toEqual({ specific: {} });
    expect(replyIn(read(0, { decision: 'approve', reason: 'fine' }, '', 'PreToolUse'))).toEqual({
      permission: { decision: 'allow', reason: 'fine' },
      specific: {},
    });
  });

  it('prevents with and without a stop reason', () => {
    expect(replyIn(read(0, { continue: false, stopReason: 'enough' }))).toEqual({ prevent: 'enough', specific: {} });
    expect(replyIn(read(0, { continue: false }))).toEqual({ prevent: '', specific: {} });
    expect(replyIn(read(0, { continue: true }))).toEqual({ specific: {} });
  });

  it('reads context, input and permission of PreToolUse', () => {
    const fields = {
      permissionDecision: 'ask',
      permissionDecisionReason: 'sure?',
      updatedInput: { a: 1 },
      additionalContext: 'c',
    };
    expect(replyIn(read(0, specific('PreToolUse', fields), '', 'PreToolUse'))).toEqual({
      permission: { decision: 'ask', reason: 'sure?' },
      updatedInput: { a: 1 },
      context: 'c',
      specific: {},
    });
  });

  it('reads a no as a block, in the old field or the new one, whatever the other contains', () => {
    const deny = {
      ...specific('PreToolUse', { permissionDecision: 'deny', permissionDecisionReason: 'no' }),
      decision: 'approve',
    };
    expect(replyIn(read(0, deny, '', 'PreToolUse'))).toEqual({ block: { by: 'decision', reason: 'no' }, specific: {} });
    const allow = { ...specific('PreToolUse', { permissionDecision: 'allow' }), decision: 'block', reason: 'old' };
    expect(replyIn(read(0, allow, '', 'PreToolUse'))).toMatchObject({ block: { by: 'decision', reason: 'old' } });
  });

  it('keeps a changed tool output, even an empty one', () => {
    expect(replyIn(read(0, specific('PostToolUse', { updatedToolOutput: '' }), '', 'PostToolUse'))).toEqual({
      updatedToolOutput: { value: '' },
      specific: {},
    });
  });

  it('leaves the fields of one event as they are', () => {
    expect(replyIn(read(0, specific('FileChanged', { watchPaths: ['/a'] }), '', 'FileChanged'))).toEqual({
      specific: { watchPaths: ['/a'] },
    });
  });

  it.each([
    ['unparsable JSON', '{"decision": block}', /cannot be parsed/],
    ['lines of JSON of which one is an answer', '{"level":"info"}\n{"decision":"block"}', /cannot be parsed/],
    ['a field of the wrong type', '{"continue":"no"}', /not valid: continue/],
    ['a decision that does not exist', '{"decision":"deny"}', /not valid: decision/],
    ['null for a reason', '{"decision":"block","reason":null}', /not valid: reason/],
    ['an answer for another event', JSON.stringify(specific('PreToolUse', {})), /an answer for PreToolUse .* to Stop/],
    [
      'an answer for an event that has none',
      JSON.stringify(specific('PreCompact', {})),
      /not valid: hookSpecificOutput/,
    ],
    ['no event name', '{"hookSpecificOutput":{"additionalContext":"x"}}', /not valid: hookSpecificOutput/],
  ])('fails for %s', (_, stdout, message) => {
    expect(failure(read(0, stdout))).toMatch(message);
  });
});

describe('exit 2', () => {
  it.each([
    ['stderr', '', 'keep going', 'keep going'],
    ['nothing', '', '', 'No stderr output'],
    ['text and stderr, as printed', 'noise', 'err\n', 'err\n'],
    ['blank stderr', '', ' \n', 'No stderr output'],
    ['invalid JSON', '{"decision": nope}', 'err', 'err'],
    ['an answer that approves', '{"decision":"approve"}', 'err', 'err'],
    ['an answer that blocks without a reason', '{"decision":"block"}', 'err', 'err'],
    [
      'words about a missing file',
      '',
      'cat: report.txt: No such file or directory',
      'cat: report.txt: No such file or directory',
    ],
  ])('blocks with %s', (_, stdout, stderr, reason) => {
    expect(replyIn(read(2, stdout, stderr))).toEqual({ block: { by: 'exit', reason }, specific: {} });
  });

  it('allows nothing for a PermissionRequest hook, and keeps its denial', () => {
    const answer = (behavior: string) => specific('PermissionRequest', { decision: { behavior } });
    const answered = (behavior: string) => replyIn(read(2, answer(behavior), 'no', 'PermissionRequest'));
    expect(answered('allow')).toMatchObject({ block: { reason: 'no' }, specific: {} });
    expect(answered('allow')).not.toHaveProperty('specific.decision');
    expect(answered('deny')).toHaveProperty('specific.decision', { behavior: 'deny' });
  });

  it('prefers the reason of an answer that blocks', () => {
    expect(replyIn(read(2, { decision: 'block', reason: 'json' }, 'err'))).toEqual({
      block: { by: 'decision', reason: 'json' },
      specific: {},
    });
  });

  it('still reads the rest of the answer, but no permission', () => {
    const allow = {
      ...specific('PreToolUse', { permissionDecision: 'allow' }),
      continue: false,
      stopReason: 's',
      systemMessage: 'm',
    };
    expect(replyIn(read(2, allow, 'err', 'PreToolUse'))).toEqual({
      block: { by: 'exit', reason: 'err' },
      prevent: 's',
      systemMessage: 'm',
      specific: {},
    });
  });
});

describe('other exit codes', () => {
  it('lets a valid answer decide', () => {
    expect(replyIn(read(1, { decision: 'block', reason: 'r' }))).toEqual({
      block: { by: 'decision', reason: 'r' },
      specific: {},
    });
  });

  it.each([
    [1, 'noise', 'hook is broken\nmore', 'Failed with non-blocking status code: hook is broken'],
    [1, '', '', 'Failed with non-blocking status code: Exit code 1'],
    [127, '', 'sh: 1: nope: not found', 'Failed with non-blocking status code: sh: 1: nope: not found'],
  ])('fails with %d', (code, stdout, stderr, message) => {
    expect(failure(read(code, stdout, stderr))).toBe(message);
  });
});
