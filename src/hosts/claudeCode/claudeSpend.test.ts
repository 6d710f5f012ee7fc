import { describe, expect, it } from 'vitest';
import { ClaudeSpend } from './claudeSpend.ts';

const perToken = (model: string, { outputTokens }: { outputTokens: number }) =>
  model === 'dear' ? ({ type: 'usd', usd: outputTokens / 100 } as const) : ({ type: 'unknown' } as const);

// the shapes of Claude Code 2.1.325, shortened
type Parent = string | null;
const lineOf = (event: object) => `${JSON.stringify(event)}\n`;
const assistant = (id: string, content: readonly object[] = [], model = 'dear', parent: Parent = null) =>
  lineOf({
    type: 'assistant',
    message: { id, model, content, usage: { input_tokens: 5, output_tokens: 1 } },
    parent_tool_use_id: parent,
  });
const start = (id: string) =>
  lineOf({
    type: 'stream_event',
    event: { type: 'message_start', message: { id, model: 'dear', usage: { input_tokens: 5, output_tokens: 1 } } },
    parent_tool_use_id: null,
  });
const delta = (output_tokens: number) =>
  lineOf({
    type: 'stream_event',
    event: { type: 'message_delta', delta: {}, usage: { output_tokens } },
    parent_tool_use_id: null,
  });
const result = (total: number, since: number | null) =>
  lineOf({
    type: 'result',
    total_cost_usd: total / 100,
    usage: { output_tokens: 3 },
    modelUsage: { dear: { outputTokens: total, costUSD: total / 100 } },
    ...(since !== null && {
      model_usage_since_last_result: since === 0 ? {} : { dear: { outputTokens: since, costUSD: since / 100 } },
    }),
  });
const agentEnd = (output_tokens: number) =>
  lineOf({ type: 'user', tool_use_result: { agentId: 'a1', resolvedModel: 'dear', usage: { output_tokens } } });
const text = (characters: number) => ({ type: 'text', text: 'x'.repeat(characters) });
const message = (id: string, tokens: number) => start(id) + assistant(id, [text(8)]) + assistant(id) + delta(tokens);

const spent = (stream: string) => {
  const spend = new ClaudeSpend(perToken);
  spend.push(stream);
  return spend.spend;
};

describe('what Claude Code spends', () => {
  it.each([
    ['nothing yet', '', 0],
    ['a message while it is written', start('a') + assistant('a', [text(400)]), 1],
    ['message_delta, not message_start', message('a', 25_000) + message('b', 27_000), 52_000],
    ['deltas that count up', start('a') + delta(10) + delta(40), 40],
    ['a line after its delta', message('a', 40) + assistant('a'), 40],
    ['a result instead of the messages before it', message('a', 40) + result(50, 50), 50],
    ['messages after a result', message('a', 40) + result(50, 50) + message('b', 7), 57],
    ['several results', message('a', 40) + result(50, 50) + message('b', 7) + result(60, 10), 60],
    ['a result that settled it all before', message('a', 40) + result(50, 50) + result(50, 0), 50],
    ['a message that goes on after a result', start('a') + result(50, 50) + delta(9), 59],
    ['a message that broke off, once', start('a') + result(50, 50) + message('b', 19) + result(70, 20), 70],
    ['a late line of a settled message', message('a', 40) + result(50, 50) + assistant('a', [text(4000)]), 50],
    ['a continued session from this launch on', message('a', 40) + result(90_040, 40), 40],
    ['a total that began again after /clear', result(50, 50) + result(0, 0) + result(20, 20), 70],
    ['an older version: the difference of totals', result(50, null) + result(60, null), 60],
    ['an older version after /clear', result(50, null) + result(20, null), 70],
    ['the last message of a subagent', message('a', 40) + agentEnd(5000), 5040],
    ['a subagent, once', message('a', 40) + agentEnd(5000) + result(5040, 5040), 5040],
  ])('counts %s', (_what, stream, outputTokens) => {
    const { usd, ...others } = spent(stream);
    expect(others).toEqual({ outputTokens });
    expect(usd).toBeCloseTo(outputTokens / 100);
  });

  it('estimates from the text where the stream has no count, and marks that', () => {
    const tool = { type: 'tool_use', input: { content: 'y'.repeat(400) } };
    const stream = assistant('s', [text(400)], 'dear', 'toolu_1') + assistant('s', [tool], 'dear', 'toolu_1');
    expect(spent(stream)).toMatchObject({ outputTokens: 204, estimated: true });
    expect(spent(stream + result(3000, 3000))).toEqual({ outputTokens: 3000, usd: 30 });
  });

  it('is the same however the stream is cut, with other text between', () => {
    const stream = `${message('a', 40)}not json\n[1]\n{"type":"assistant"\n{}\n${message('b', 60)}`;
    const spend = new ClaudeSpend(perToken);
    for (const char of stream) spend.push(char);
    expect(spend.spend).toEqual({ outputTokens: 100, usd: 1 });
  });

  it('reports an unknown price instead of a sum without it', () => {
    expect(spent(message('a', 40) + assistant('b', [text(8)], 'new-model'))).toEqual({
      outputTokens: 42,
      usd: null,
      estimated: true,
    });
  });
});
