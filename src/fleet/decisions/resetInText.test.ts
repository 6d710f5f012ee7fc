import { expect, it } from 'vitest';
import { type NamedReset, resetInText } from './resetInText.ts';

const NOW = 1_794_785_000_000;

it.each<[string, NamedReset]>([
  ['API Error: 429 try again in 40 s', { retryAfterMs: 40_000 }],
  ['Please try again in 5 minutes.', { retryAfterMs: 300_000 }],
  ['try again in 2 hours', { retryAfterMs: 7_200_000 }],
  ['usage limit reached|1794785600', { resetAt: 1_794_785_600_000 }],
  ['a moment that is over: 1794784000', {}],
  ['rate limited', {}],
])('%s', (text, reset) => {
  expect(resetInText(text, NOW)).toEqual(reset);
});
