import fc from 'fast-check';
import { expect, it } from 'vitest';
import { redactedStream } from './redactedStream.ts';

const passed = (secrets: readonly string[], pieces: readonly string[]) => {
  const stream = redactedStream(secrets);
  return [...pieces.map((piece) => stream.push(piece)), stream.end()];
};

it.each([
  [['a key123456 b'], ['a [redacted] b', '']],
  [
    ['a key1', '23456 b'],
    ['a ', '[redacted] b', ''],
  ],
  [
    ['a ke', 'y lime', ' pie'],
    ['a ', 'key lime', ' pie', ''],
  ],
  [
    ['k', 'e', 'y', '123456'],
    ['', '', '', '[redacted]', ''],
  ],
  [['no more than key123'], ['no more than ', 'key123']],
])('passes %j on as %j', (pieces, shown) => {
  expect(passed(['key123456'], pieces)).toEqual(shown);
});

it('shows no secret and loses nothing else, however the text is cut', () => {
  const text = fc.array(fc.constantFrom('ab1', 'b1c', 'x', 'ab1cab1d', ' '), { maxLength: 12 });
  fc.assert(
    fc.property(text, fc.array(fc.nat(40), { maxLength: 5 }), (parts, cuts) => {
      const whole = parts.join('');
      const places = [0, ...cuts.map((cut) => Math.min(cut, whole.length)).toSorted((a, b) => a - b), whole.length];
      const pieces = places.slice(1).map((end, index) => whole.slice(places[index], end));
      expect(passed(['ab1cab1d'], pieces).join('')).toBe(whole.replaceAll('ab1cab1d', '[redacted]'));
    }),
  );
});
