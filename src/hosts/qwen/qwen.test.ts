import { describe, expect, it } from 'vitest';
import { streamSpend } from '../streams/streamSpend.ts';
import { qwenAgent } from './agent.ts';
import { asText, qwenSpend } from './output.ts';

const said = (content: readonly object[], output: number, stop: string | null = null) => ({
  type: 'assistant',
  parent_tool_use_id: null,
  message: {
    model: 'm',
    content,
    stop_reason: stop,
    usage: { input_tokens: output === 0 ? 0 : 100, output_tokens: output, cache_read_input_tokens: 7 },
  },
});
const text = (value: string) => [{ type: 'text', text: value }];
const STREAM: readonly object[] = [
  { type: 'system', subtype: 'init', session_id: 'abc', model: 'm' },
  said(text('let me'), 0),
  said([{ type: 'tool_use', id: 'c', name: 'run_shell_command', input: {} }], 22, 'tool_use'),
  { type: 'user', message: { role: 'user', content: [{ type: 'tool_result', content: 'hi' }] } },
  said(text('done'), 44),
];
const RESULT = {
  type: 'result',
  subtype: 'success',
  is_error: false,
  result: 'done',
  usage: { input_tokens: 444, output_tokens: 90 },
};
const lines = (...events: readonly object[]) => events.map((event) => `${JSON.stringify(event)}\n`).join('');

it('reads as text', () => {
  let shown = '';
  const form = asText((more) => {
    shown += more;
  });
  const error = '[API Error: 429 x]';
  form.push(lines(...STREAM, said(text(error), 0), { type: 'result', is_error: true, error: { message: error } }));
  form.end();
  expect(shown).toBe(`let me\ndone\n${error}\n`);
});

it('spends what its messages report, and then what its result does', () => {
  const spend = streamSpend(qwenSpend(), () => ({ type: 'unknown' }));
  spend.push(lines(...STREAM));
  expect(spend.spend.outputTokens).toBeGreaterThanOrEqual(66);
  spend.push(lines(RESULT));
  expect(spend.spend).toEqual({ outputTokens: 90, usd: null });
});

it('prices its input without what was cached', () => {
  const seen: object[] = [];
  const spend = streamSpend(qwenSpend(), (model, usage) => {
    seen.push({ model, ...usage });
    return { type: 'usd', usd: 1 };
  });
  spend.push(
    lines(...STREAM, { ...RESULT, usage: { input_tokens: 444, output_tokens: 90, cache_read_input_tokens: 44 } }),
  );
  expect(spend.spend).toEqual({ outputTokens: 90, usd: 1 });
  expect(seen).toEqual([{ model: 'm', inputTokens: 400, outputTokens: 90, cacheReadTokens: 44, cacheWriteTokens: 0 }]);
});

describe('an error that it prints', () => {
  it.each<[string, string | null]>([
    ['[API Error: 429 Too many requests]', 'rate_limit'],
    ['[API Error: 401 invalid key]', 'authentication_failed'],
    ['[API Error: 403 no permission]', 'authentication_failed'],
    ['[API Error: 402 Insufficient Balance]', 'billing_error'],
    ['[API Error: 503 overloaded]', 'overloaded'],
    ['[API Error: 500 x]', 'server_error'],
    ['[API Error: 400 bad request]', null],
    ['some 429 in an answer', null],
  ])('%s: %s', (message, error) => {
    const tail = lines({ type: 'result', is_error: true, error: { message } });
    expect(qwenAgent.accountTrouble(1, { tail, stderr: '', failure: null })?.error ?? null).toBe(error);
  });
});
