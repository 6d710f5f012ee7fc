import { describe, expect, it } from 'vitest';
import { PRINTED_NOTHING } from './outcome.ts';
import { capOutcome, capText, REASON_CAP, TEXT_CAP } from './spill.ts';

describe('capText', () => {
  it('leaves a text of 10,000 characters as it is', () => {
    const text = 'x'.repeat(TEXT_CAP);
    expect(capText(text, TEXT_CAP, () => 'never')).toBe(text);
  });

  it('replaces a longer one by where it is and how it begins', () => {
    const saved: string[] = [];
    const text = 'y'.repeat(TEXT_CAP + 1);
    const capped = capText(text, TEXT_CAP, (all) => {
      saved.push(all);
      return '/tmp/spilled.txt';
    });
    expect(saved).toEqual([text]);
    expect(capped).toContain('/tmp/spilled.txt');
    expect(capped).toContain('10001 characters');
    expect(capped.match(/y/g)?.length).toBeLessThanOrEqual(2_001);
  });

  it('reports that it cannot be saved', () => {
    const full = () => {
      throw new Error('no space left');
    };
    expect(capText('z'.repeat(20_000), TEXT_CAP, full)).toContain('could not be saved (no space left)');
  });
});

it('caps contexts, plain output and messages, but passes a reason of 15,000 characters whole', () => {
  const long = 'y'.repeat(15_000);
  const reply = {
    block: { by: 'decision', reason: long } as const,
    context: long,
    plain: long,
    systemMessage: long,
    specific: { initialUserMessage: long, sessionTitle: 't' },
  };
  const capped = capOutcome({ type: 'said', reply, printed: PRINTED_NOTHING }, () => 'FILE');
  if (capped.type !== 'said') throw new Error(capped.type);
  expect(capped.reply.block?.reason).toBe(long);
  for (const text of [
    capped.reply.context,
    capped.reply.plain,
    capped.reply.systemMessage,
    capped.reply.specific.initialUserMessage,
  ]) {
    expect(text).toContain('All of it is in FILE.');
  }
  expect(capped.reply.specific.sessionTitle).toBe('t');
});

it('does not let a reason fill the context window', () => {
  const reply = { block: { by: 'exit', reason: 'x'.repeat(REASON_CAP + 1) } as const, specific: {} };
  const capped = capOutcome({ type: 'said', reply, printed: PRINTED_NOTHING }, () => 'FILE');
  expect(capped.type === 'said' && capped.reply.block?.reason.length).toBeLessThan(3_000);
});
