import { expect, it } from 'vitest';
import type { Spend } from '../../hosts/host.ts';
import { sumOfSpend } from './startUntilDone.ts';

const priced: Spend = { outputTokens: 1, usd: 2 };
const unpriced: Spend = { outputTokens: 4, usd: null };

it.each<[string, Spend | null, Spend | null, Spend | null]>([
  ['nothing', null, null, null],
  ['one alone', null, priced, priced],
  ['known prices', priced, priced, { outputTokens: 2, usd: 4 }],
  ['a price and none', priced, unpriced, { outputTokens: 5, usd: 2, estimated: true }],
  ['none and a price', unpriced, priced, { outputTokens: 5, usd: 2, estimated: true }],
  ['no price at all', unpriced, unpriced, { outputTokens: 8, usd: null }],
])('adds %s', (_name, one, other, sum) => {
  expect(sumOfSpend(one, other)).toEqual(sum);
});
