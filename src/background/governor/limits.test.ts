import { expect, it } from 'vitest';
import { costOf } from '../../models/prices.ts';
import { NO_USAGE } from '../../models/types.ts';
import { refuseRequest } from './askModel.ts';
import { backgroundLimits, DEFAULT_LIMITS } from './limits.ts';

it('reads limits from variables and reports those that are not numbers', () => {
  const env = { STOPGATE_BACKGROUND_MAX_TOKENS: '5000', STOPGATE_BACKGROUND_MAX_USD: 'cheap' };
  const { limits, warnings } = backgroundLimits(env);
  expect(limits).toEqual({ ...DEFAULT_LIMITS, maxTokens: 5000 });
  expect(warnings).toEqual(["STOPGATE_BACKGROUND_MAX_USD is 'cheap', which is not a number from 0 up; using 0.25."]);
});

const usage = (inputTokens: number, outputTokens: number) => ({ ...NO_USAGE, inputTokens, outputTokens });
const model = 'anthropic/claude-sonnet-4-5';

it.each([
  ['fits', usage(1000, 100), 2000, 1, undefined],
  ['too many tokens', usage(1950, 100), 2000, 1, /2050 tokens and may take 2000/],
  ['too dear', usage(100_000, 1000), 1_000_000, 0.1, /would cost about \$0\.3150 and may cost \$0\.1000/],
] as const)('a request that %s', (_name, expected, maxTokens, maxUsd, reason) => {
  const refused = refuseRequest({ model, expected, spent: { usage: NO_USAGE, usd: 0 }, maxTokens, maxUsd, costOf });
  if (reason) expect(refused).toMatch(reason);
  else expect(refused).toBeUndefined();
});

it('counts what was spent before, and lets tokens alone bound a model without a price', () => {
  const spent = { usage: usage(1500, 0), usd: 0 };
  const facts = { model: 'unknown/model', spent, maxTokens: 2000, maxUsd: 0, costOf };
  expect(refuseRequest({ ...facts, expected: usage(400, 0) })).toBeUndefined();
  expect(refuseRequest({ ...facts, expected: usage(600, 0) })).toMatch(/2100 tokens/);
});
