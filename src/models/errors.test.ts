import { describe, expect, it } from 'vitest';
import { classifyModelError, type ModelErrorFacts } from './errors.ts';
import type { ModelErrorClass } from './types.ts';

const CASES: readonly [facts: Partial<ModelErrorFacts>, errorClass: ModelErrorClass, retryable: boolean][] = [
  [{ status: 400 }, 'unknown', false],
  [{ status: 400, message: 'prompt is too long: 1 > 0' }, 'invalid_request', false],
  [{ status: 400, type: 'context_length_exceeded' }, 'invalid_request', false],
  [{ status: 400, message: "This model's maximum context length is 8192 tokens" }, 'invalid_request', false],
  [{ status: 400, message: 'The input token count (9) exceeds the maximum' }, 'invalid_request', false],
  [
    { status: 400, type: 'exceed_context_size_error', message: 'the request exceeds the available context size' },
    'invalid_request',
    false,
  ],
  [{ status: 500, message: 'Context size has been exceeded.' }, 'invalid_request', false],
  [{ message: 'Trying to keep the first 9 tokens when context the overflows.' }, 'invalid_request', false],
  [{ status: 400, message: 'loaded with context length of only 4096 tokens' }, 'invalid_request', false],
  [{ status: 400, message: 'Please reduce the length of the messages or completion.' }, 'invalid_request', false],
  [{ status: 400, message: 'Your credit balance is too low to access the API' }, 'billing_error', false],
  [{ status: 401 }, 'authentication_failed', false],
  [{ status: 402 }, 'billing_error', false],
  [{ status: 403 }, 'authentication_failed', false],
  [{ status: 404 }, 'model_not_found', false],
  [{ status: 408 }, 'unknown', true],
  [{ status: 409 }, 'unknown', true],
  [{ status: 413 }, 'invalid_request', false],
  [{ status: 422 }, 'unknown', false],
  [{ status: 429 }, 'rate_limit', true],
  [{ status: 429, type: 'insufficient_quota' }, 'billing_error', false],
  [{ status: 500 }, 'server_error', true],
  [{ status: 500, message: 'the context window service fell over' }, 'server_error', true],
  [{ status: 503 }, 'server_error', true],
  [{ status: 529 }, 'overloaded', true],
  [{ type: 'overloaded_error' }, 'overloaded', true],
  [{ type: 'rate_limit_error' }, 'rate_limit', true],
  [{ type: 'api_error' }, 'server_error', true],
  [{ connectionError: 'ECONNRESET' }, 'server_error', true],
  [{ connectionError: 'ENOTFOUND' }, 'server_error', true],
  [{ connectionError: 'DEPTH_ZERO_SELF_SIGNED_CERT' }, 'server_error', false],
  [{ connectionError: 'answer:page' }, 'server_error', false],
  [{ connectionError: 'answer:empty' }, 'server_error', true],
  [{ connectionError: 'ERR_INVALID_URL' }, 'server_error', false],
  [{ status: 407 }, 'server_error', false],
  [{}, 'unknown', false],
];

describe('classifyModelError', () => {
  it.each(CASES)('%j is %s', (facts, errorClass, retryable) => {
    const failure = classifyModelError({ message: 'it said so', ...facts });
    expect(failure).toMatchObject({ errorClass, retryable });
    expect(failure.promptTooLong ?? false).toBe(errorClass === 'invalid_request');
  });

  it.each([
    [{ 'retry-after': '12' }, 12_000],
    [{ 'retry-after': '1.5' }, 1_500],
    [{ 'retry-after-ms': '250', 'retry-after': '12' }, 250],
    [{ 'retry-after': 'Wed, 21 Oct 2026 07:28:00 GMT' }, 60_000],
    [{ 'retry-after': 'Wed, 21 Oct 2026 07:20:00 GMT' }, 0],
    [{ 'retry-after': 'soon' }, undefined],
    [{}, undefined],
  ])('reads %j as %s ms to wait', (headers, retryAfterMs) => {
    const now = Date.parse('2026-10-21T07:27:00Z');
    expect(classifyModelError({ status: 429, message: '', headers, now }).retryAfterMs).toBe(retryAfterMs);
  });

  it('does not retry what the provider forbids', () => {
    expect(classifyModelError({ status: 500, message: '', headers: { 'x-should-retry': 'false' } }).retryable).toBe(
      false,
    );
  });

  it('is one sentence with what to do next', () => {
    const facts = { status: 401, message: 'invalid\nx-api-key.', keyVariable: 'ANTHROPIC_API_KEY' };
    expect(classifyModelError(facts).message).toBe(
      'the provider did not accept the key (401: invalid x-api-key); check ANTHROPIC_API_KEY',
    );
  });

  it.each([
    'Incorrect API key provided: sk-proj-abc***wxyz',
    'bad header Authorization: Bearer abcdef.123456',
    'see https://host/v1?key=abcdef123456&x=1',
    'no tunnel via http://me:abcdef123456@proxy:3128',
    'AIzaSyA1234567890abcdefghijklmnop is wrong',
  ])('shows no secret: %s', (message) => {
    const failure = classifyModelError({ status: 401, message, details: message });
    expect(JSON.stringify(failure)).not.toMatch(/abc|wxyz|AIza|123456/);
  });

  it('is bounded', () => {
    const failure = classifyModelError({ status: 500, message: 'x'.repeat(9_000), details: 'y'.repeat(90_000) });
    expect(failure.message.length).toBeLessThan(400);
    expect(failure.details?.length).toBeLessThan(5_000);
  });
});
