import { expect, it } from 'vitest';
import type { CostOf } from '../../models/prices.ts';
import { NO_USAGE } from '../../models/types.ts';
import type { AssistantMessage } from '../../session/messages.ts';
import { resumeFacts } from './resumeFacts.ts';

const now = Date.parse('2026-01-01T00:10:00Z');
const answer = (timestamp: string): AssistantMessage => ({
  type: 'assistant',
  uuid: 'u',
  timestamp,
  message: {
    id: 'm',
    role: 'assistant',
    model: 'x',
    content: [],
    stop_reason: 'end_turn',
    usage: { ...NO_USAGE, inputTokens: 70, outputTokens: 20, cacheReadTokens: 10 },
  },
});
const costOf: CostOf = (_, { cacheWriteTokens }) => ({ type: 'usd', usd: cacheWriteTokens / 1000 });
const unpriced: CostOf = () => ({ type: 'unknown' });
const facts = { now, model: 'x', costOf };

it.each([
  ['2026-01-01T00:09:58.500Z', 1, false],
  ['2026-01-01T00:04:59Z', 301, true],
  ['2026-01-01T00:10:01Z', 0, false],
])('an answer of %s is %d seconds old, its cache expired: %s', (timestamp, seconds, expired) => {
  expect(resumeFacts([answer(timestamp)], facts)).toEqual({
    seconds_since_last_response: seconds,
    context_tokens: 100,
    prompt_cache_likely_expired: expired,
    estimated_cache_write_usd: 0.1,
  });
});

it('has no price where none is known, and nothing without an answer', () => {
  expect(resumeFacts([answer('2026-01-01T00:09:00Z')], { ...facts, costOf: unpriced })).not.toHaveProperty(
    'estimated_cache_write_usd',
  );
  expect(resumeFacts([{ ...answer('2026-01-01T00:09:00Z'), apiError: 'server_error' }], facts)).toBeUndefined();
});
