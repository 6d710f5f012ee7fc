import { expect, it } from 'vitest';
import { decideFallback, withFallbacks } from './fallback.ts';
import type { Model, ModelErrorClass } from './types.ts';

it.each([
  ['overloaded', 1, false, undefined],
  ['overloaded', 2, false, undefined],
  ['overloaded', 3, false, 'overloaded'],
  ['overloaded', 1, true, 'overloaded'],
  ['server_error', 1, false, 'server_error'],
  ['model_not_found', 1, true, 'model_not_found'],
  ['rate_limit', 5, false, undefined],
  ['rate_limit', 11, true, 'last_resort'],
  ['invalid_request', 1, true, 'last_resort'],
] as const)('%s, attempt %i, gives up: %s → %s', (errorClass: ModelErrorClass, attempt, givesUp, trigger) => {
  const failure = { errorClass, message: 'm', retryable: !givesUp };
  expect(decideFallback({ failure, attempt, givesUp })).toBe(trigger);
});

it('a conversation that is too long does not call for another model', () => {
  const failure = { errorClass: 'invalid_request', message: 'm', retryable: false, promptTooLong: true } as const;
  expect(decideFallback({ failure, attempt: 1, givesUp: true })).toBeUndefined();
});

it('is the first model, then the next ones, and the first again', () => {
  const named = (id: string, contextWindow: number): Model => ({
    id,
    contextWindow,
    maxOutputTokens: 1,
    stream: async function* () {},
  });
  const model = withFallbacks(named('a', 10), [named('b', 20), named('c', 30)]);
  const { fallback } = model;
  expect([model.id, model.contextWindow, fallback?.isUsed()]).toEqual(['a', 10, false]);
  expect(fallback?.next()).toEqual({ from: 'a', to: 'b' });
  expect([model.id, model.contextWindow, fallback?.isUsed()]).toEqual(['b', 20, true]);
  expect(fallback?.next()).toEqual({ from: 'b', to: 'c' });
  expect(fallback?.next()).toBeUndefined();
  fallback?.reset();
  expect(model.id).toBe('a');
});
