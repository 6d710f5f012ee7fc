import { expect, it } from 'vitest';
import { requestText } from './calls.ts';

it.each([
  ['plain', 'plain'],
  ['a\0b', 'a\ufffdb'],
  ['half \ud800 a pair', 'half \ufffd a pair'],
  ['a whole 🚦 pair', 'a whole 🚦 pair'],
  [String.raw`the text \u0000 itself`, String.raw`the text \u0000 itself`],
])('keeps %j as %j', (given, kept) => {
  expect(JSON.parse(requestText({ deep: [{ text: given }] }))).toEqual({ deep: [{ text: kept }] });
});
