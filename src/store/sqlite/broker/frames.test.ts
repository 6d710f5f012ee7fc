import { describe, expect, it } from 'vitest';
import { encodeFrame, frameReader, isReply, protocolOf, type RequestFrame } from './frames.ts';

function reading(longest = 1_000) {
  const frames: unknown[] = [];
  const nonsense: string[] = [];
  const reader = frameReader({
    longest,
    onFrame: (frame) => frames.push(frame),
    onNonsense: (why) => nonsense.push(why),
  });
  return { reader, frames, nonsense };
}

describe('frameReader', () => {
  it('puts frames together however they were cut', () => {
    const sent: RequestFrame[] = [1, 2, 3].map((id) => ({
      id,
      operation: 'claim',
      request: { text: 'two\nlines 🚦' },
    }));
    const bytes = sent.map(encodeFrame).join('');
    for (const size of [1, 2, 7, 1_000]) {
      const { reader, frames } = reading();
      for (let at = 0; at < bytes.length; at += size) reader.read(bytes.slice(at, at + size));
      expect(frames).toEqual(sent);
    }
  });

  it('knows whether a line has begun', () => {
    const { reader } = reading();
    const seen = ['{"a"', ':1}', '\n', '{}\n{'].map((chunk) => {
      reader.read(chunk);
      return reader.isPending;
    });
    expect(seen).toEqual([true, true, false, true]);
  });

  it.each([
    ['a line that is not JSON', ['{}\nnot\n{}\n'], 'a line is not JSON', 1],
    ['an empty line', ['\n{}\n'], 'a line is not JSON', 0],
    ['a line that is too long', ['{}\n', `"${'x'.repeat(30)}"\n{}\n`], 'a line is longer than 20 characters', 1],
    ['one that never ends', Array.from({ length: 100 }, () => 'x'), 'a line is longer than 20 characters', 0],
  ])('reads nothing after %s', (_what, chunks, why, before) => {
    const { reader, frames, nonsense } = reading(20);
    for (const chunk of chunks) reader.read(chunk);
    expect(nonsense).toEqual([why]);
    expect(frames).toHaveLength(before);
    expect(reader.isPending).toBe(false);
  });
});

it.each([
  [{ stopgate: 2 }, 2],
  [{ stopgate: '2' }, undefined],
  [{ id: 1 }, undefined],
  [null, undefined],
  [[], undefined],
])('finds in %j the protocol %s', (value, expected) => {
  expect(protocolOf(value)).toBe(expected);
});

it.each([
  [{ id: 1, outcome: {} }, true],
  [{ id: 1, bug: 'x' }, true],
  [{ id: 1, tooLong: true }, true],
  [{ id: '1', outcome: {} }, false],
  [{ id: 1, outcome: null }, false],
  [{ id: 1, bug: {} }, false],
  [{ id: 1 }, false],
  [null, false],
])('detects whether %j is a reply', (value, expected) => {
  expect(isReply(value)).toBe(expected);
});
