import { expect, it } from 'vitest';
import type { Spend } from '../host.ts';
import { opencodeSpend } from '../opencode/output.ts';
import { piSpend } from '../pi/output.ts';

const opencode = (cost: number) => ({ type: 'step_finish', part: { tokens: { output: 5 }, cost } });
const pi = (total: number) => ({
  type: 'message_end',
  message: { role: 'assistant', usage: { output: 5, cost: { total } } },
});
const HOSTS = [
  { readerOf: opencodeSpend, step: opencode },
  { readerOf: piSpend, step: pi },
];

it.each<[string, readonly number[], Spend]>([
  ['known prices', [1, 2], { outputTokens: 10, usd: 3 }],
  ['no prices', [0, 0], { outputTokens: 10, usd: null }],
  ['a step without a price before others', [0, 2], { outputTokens: 10, usd: 2, estimated: true }],
  ['a step without a price after others', [2, 0], { outputTokens: 10, usd: 2, estimated: true }],
])('adds %s', (_name, costs, spend) => {
  for (const { readerOf, step } of HOSTS) {
    const reader = readerOf(() => ({ type: 'unknown' }));
    for (const cost of costs) reader.push(`${JSON.stringify(step(cost))}\n`);
    expect(reader.spend).toEqual(spend);
  }
});
