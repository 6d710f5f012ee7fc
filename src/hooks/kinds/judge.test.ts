import { describe, expect, it } from 'vitest';
import { fillArguments, findJudgment, judgmentReply } from './judge.ts';

describe('findJudgment', () => {
  it.each([
    ['bare', '{"ok": true}', { ok: true }],
    ['fenced', 'Here:\n```json\n{"ok": false, "reason": "no tests"}\n```\nBye', { ok: false, reason: 'no tests' }],
    [
      'in prose',
      'I think {"ok":false,"reason":"a } brace and a \\"quote\\""} is right.',
      { ok: false, reason: 'a } brace and a "quote"' },
    ],
    [
      'after an example',
      'The format is {"ok": true}. My answer: {"ok": false, "reason": "x"}',
      { ok: false, reason: 'x' },
    ],
    ['with another object inside', '{"ok": false, "reason": "x", "details": {"ok": true}}', { ok: false, reason: 'x' }],
    ['after a brace that means nothing', 'set {a, b} then {"ok": true}', { ok: true }],
    [
      'with quoted booleans',
      '{"ok": "false", "reason": "x", "impossible": "true"}',
      { ok: false, reason: 'x', impossible: true },
    ],
    ['with an empty reason', '{"ok": true, "reason": null}', { ok: true, reason: null }],
  ])('reads an answer %s', (_, text, answer) => {
    expect(findJudgment(text)).toEqual(answer);
  });

  it.each(['', 'yes', '{"okay": true}', '{"ok": 1}', '{"ok": true', '[true]', '{{{{', '{'.repeat(100_000)])(
    'finds none in %.20j',
    (text) => {
      expect(findJudgment(text)).toBeUndefined();
    },
  );
});

describe('fillArguments', () => {
  it.each([
    ['Done? $ARGUMENTS', 'Done? {"a":1}'],
    ['$ARGUMENTS and $ARGUMENTS', '{"a":1} and {"a":1}'],
    ['Done?', 'Done?\n\nARGUMENTS: {"a":1}'],
    ['It costs \\$5: $ARGUMENTS', 'It costs $5: {"a":1}'],
    ['literally \\$ARGUMENTS', 'literally $ARGUMENTS\n\nARGUMENTS: {"a":1}'],
  ])('%j', (prompt, filled) => {
    expect(fillArguments(prompt, '{"a":1}')).toBe(filled);
  });

  it('takes the event as it is, dollar signs included', () => {
    expect(fillArguments('$ARGUMENTS', '{"x":"$& $1 $\'"}')).toBe('{"x":"$& $1 $\'"}');
  });
});

describe('judgmentReply', () => {
  const how = { continues: false, acceptsImpossible: true };
  it('is empty when the condition is met, and only notifies the person when it cannot be', () => {
    expect(judgmentReply({ ok: true }, how)).toEqual({ specific: {} });
    const impossible = judgmentReply({ ok: false, reason: 'r', impossible: true }, how);
    expect(impossible.block).toBeUndefined();
    expect(impossible.systemMessage).toMatch(/the agent may stop, .*: r$/);
  });

  it('blocks otherwise, with a reason or without', () => {
    expect(
      judgmentReply({ ok: false, reason: 'r', impossible: true }, { continues: true, acceptsImpossible: false }),
    ).toEqual({
      block: { by: 'judge', reason: 'r', continues: true },
      specific: {},
    });
    expect(judgmentReply({ ok: false, reason: ' ' }, how).block?.reason).toMatch(/no reason was given/);
  });
});
