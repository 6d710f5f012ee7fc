import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { AppendOnlyList } from '../../system/appendOnly.ts';
import { fakeClock } from '../../testing/fakeClock.ts';
import { type ScriptedReply, scriptedReplies } from '../../testing/scriptedReplies.ts';
import { type TempFolder, tempFolder } from '../../testing/tempFolder.ts';
import type { ConversationMessage, Model, ModelEvent, ModelRequest } from '../types.ts';
import { loadScript } from './loadScript.ts';
import { pieces } from './playReply.ts';

function request(messages: (ConversationMessage | string)[], more: Partial<ModelRequest> = {}): ModelRequest {
  return {
    system: ['You are the main agent.'],
    messages: AppendOnlyList.of(
      messages.map((message) => (typeof message === 'string' ? { role: 'user' as const, content: message } : message)),
    ),
    tools: [],
    signal: new AbortController().signal,
    ...more,
  };
}

async function collect(model: Model, sent: ModelRequest): Promise<ModelEvent[]> {
  const all: ModelEvent[] = [];
  for await (const event of model.stream(sent)) all.push(event);
  return all;
}

async function textOf(model: Model, sent: ModelRequest): Promise<string> {
  const events = await collect(model, sent);
  const last = events.at(-1);
  if (last?.type === 'failed') return `failed: ${last.failure.message}`;
  return events.flatMap((event) => (event.type === 'text_delta' ? [event.text] : [])).join('');
}

function toolResult(content: string, isError = false): ConversationMessage {
  return {
    role: 'user',
    content: [{ type: 'tool_result', tool_use_id: 'a', tool_name: 'Bash', content, is_error: isError }],
  };
}
const answer: ConversationMessage = {
  role: 'assistant',
  content: [{ type: 'tool_use', id: 'a', name: 'Bash', input: {} }],
};

describe('a script', () => {
  it('gives its replies in order, each as often as configured, and then reports that it ran out', async () => {
    const model = scriptedReplies([{ text: 'one' }, { text: 'two', repeat: 2 }]);
    const replies = [];
    for (let i = 0; i < 4; i++) replies.push(await textOf(model, request(['please do it'])));
    expect(replies.slice(0, 3)).toEqual(['one', 'two', 'two']);
    expect(replies[3]).toContain('the script in code has no reply left for request 4');
    expect(replies[3]).toContain('“please do it”');
    expect(model.requests).toHaveLength(4);
  });

  it('that ran out is not retried, and shows a long message only in part', async () => {
    const [event] = await collect(scriptedReplies([]), request(['x'.repeat(10_000)]));
    expect(event).toMatchObject({ type: 'failed', failure: { retryable: false } });
    expect(JSON.stringify(event).length).toBeLessThan(500);
  });

  it('prefers the first reply whose condition holds, from the top', async () => {
    const model = scriptedReplies([
      { when: { lastUserContains: 'weather' }, text: 'rain' },
      { text: 'first' },
      { text: 'second' },
    ]);
    expect(await textOf(model, request(['hello']))).toBe('first');
    expect(await textOf(model, request(['the weather?']))).toBe('rain');
    expect(await textOf(model, request(['the weather?']))).toBe('second');
  });

  const matches: [NonNullable<ScriptedReply['when']>, ModelRequest, boolean][] = [
    [{ lastUserContains: 'two' }, request(['one', answer, 'two']), true],
    [{ lastUserContains: 'one' }, request(['one', answer, 'two']), false],
    [{ lastUserContains: 'one' }, request(['one', answer, toolResult('out')]), true],
    [{ lastUserMatches: '^t.o$' }, request(['two']), true],
    [{ lastUserMatches: '^t.o$' }, request(['two!']), false],
    [{ firstUserContains: 'one' }, request(['one', answer, 'two']), true],
    [{ systemContains: 'main agent' }, request(['one']), true],
    [{ systemContains: 'subagent' }, request(['one']), false],
    [{ toolResultContains: 'ENOENT' }, request(['one', answer, toolResult('x'), toolResult('ENOENT')]), true],
    [{ toolResultContains: 'ENOENT' }, request(['one', answer, toolResult('ENOENT'), answer, toolResult('x')]), false],
    [{ toolResultIsError: true }, request(['one', answer, toolResult('x', true)]), true],
    [{ toolResultIsError: true }, request(['one', answer, toolResult('x')]), false],
    [{ toolResultIsError: false }, request(['one']), false],
    [{ requestIndex: 0 }, request(['one']), true],
    [{ requestIndex: 1 }, request(['one']), false],
    [{ requestIndex: 0, lastUserContains: 'nope' }, request(['one']), false],
  ];
  it.each(matches)('with the condition %j decides by what it was sent (%#)', async (when, sent, holds) => {
    const model = scriptedReplies([{ when, text: 'held' }, { text: 'did not' }]);
    expect(await textOf(model, sent)).toBe(holds ? 'held' : 'did not');
  });
});

describe('a scripted reply', () => {
  it('is streamed like a model’s', async () => {
    const model = scriptedReplies([
      {
        thinking: 'Hm.',
        text: 'I will read it.',
        tools: [
          { name: 'Read', input: { path: 'a' } },
          { name: 'Read', input: {}, id: 'mine' },
        ],
        usage: { in: 1, out: 2, cacheRead: 3, cacheWrite: 4 },
      },
    ]);
    expect(await collect(model, request(['go']))).toEqual([
      { type: 'start', id: 'msg_scripted_1', model: 'scripted' },
      { type: 'thinking_delta', text: 'Hm.' },
      { type: 'block', block: { type: 'thinking', thinking: 'Hm.' } },
      { type: 'text_delta', text: 'I' },
      { type: 'text_delta', text: ' will' },
      { type: 'text_delta', text: ' read' },
      { type: 'text_delta', text: ' it.' },
      { type: 'block', block: { type: 'text', text: 'I will read it.' } },
      { type: 'tool_input_delta', id: 'toolu_scripted_1_1', name: 'Read', text: '{"path":"a"}' },
      { type: 'block', block: { type: 'tool_use', id: 'toolu_scripted_1_1', name: 'Read', input: { path: 'a' } } },
      { type: 'tool_input_delta', id: 'mine', name: 'Read', text: '{}' },
      { type: 'block', block: { type: 'tool_use', id: 'mine', name: 'Read', input: {} } },
      {
        type: 'finish',
        stopReason: 'tool_use',
        usage: { inputTokens: 1, outputTokens: 2, cacheReadTokens: 3, cacheWriteTokens: 4 },
      },
    ]);
  });

  it('waits by the clock it was given', async () => {
    const clock = fakeClock();
    const model = scriptedReplies([{ text: 'a b c', delayMs: 1_000, chunks: { count: 3, delayMs: 100 } }], { clock });
    const done = textOf(model, request(['go']));
    await clock.advance(1_199);
    expect(clock.pending()).toBe(1);
    await clock.advance(1);
    expect(await done).toBe('a b c');
  });

  it('ends quietly when it is aborted', async () => {
    const clock = fakeClock();
    const controller = new AbortController();
    const model = scriptedReplies([{ text: 'late', delayMs: 1_000 }], { clock });
    const done = collect(model, request(['go'], { signal: controller.signal }));
    await clock.advance(1);
    controller.abort();
    expect(await done).toEqual([]);
    expect(clock.pending()).toBe(0);
  });

  it('fails as a provider would', async () => {
    const model = scriptedReplies([
      { error: { status: 429, retryAfterMs: 5 } },
      { text: 'Let', error: { status: 500 } },
    ]);
    expect(await collect(model, request(['go']))).toMatchObject([
      { type: 'failed', failure: { errorClass: 'rate_limit', retryAfterMs: 5, retryable: true } },
    ]);
    expect((await collect(model, request(['go']))).map(({ type }) => type)).toEqual(['start', 'text_delta', 'failed']);
  });

  it('may be made by a function of the request', async () => {
    const model = scriptedReplies((_, n) => ({ text: `reply ${n}`, stop: 'max_tokens' }));
    expect(await textOf(model, request(['go']))).toBe('reply 0');
    expect((await collect(model, request(['go']))).at(-1)).toMatchObject({ stopReason: 'max_tokens' });
  });

  it.each(['', 'one', 'a  b\n\nc', ' lead and trail ', 'many words '.repeat(50), '  '])(
    'loses nothing of %j',
    (text) => {
      expect(pieces(text).join('')).toBe(text);
      expect(pieces(text).length).toBeLessThanOrEqual(8);
      expect(pieces(text, 3).length).toBeLessThanOrEqual(3);
    },
  );
});

describe('a script’s file', () => {
  let folder: TempFolder;
  beforeEach(async () => {
    folder = await tempFolder();
  });
  afterEach(() => folder[Symbol.asyncDispose]());
  function scriptFile(text: string): string {
    writeFileSync(join(folder.path, 'demo.json'), text);
    return join(folder.path, 'demo.json');
  }

  it('makes a model', async () => {
    const file = scriptFile('{"model": {"name": "demo-1", "contextWindow": 1000}, "replies": [{"text": "hi"}]}');
    const loaded = loadScript(file);
    if (loaded.type !== 'ok') throw new Error(loaded.message);
    expect(loaded.model).toMatchObject({ id: `scripted:${file}`, contextWindow: 1000 });
    expect((await collect(loaded.model, request(['go'])))[0]).toMatchObject({ type: 'start', model: 'demo-1' });
    expect(await textOf(loaded.model, request(['go']))).toContain(
      'the script demo.json has no reply left for request 2',
    );
  });

  it.each([
    ['{"replies": [{"text": "hi",}]}', 'demo.json:1:27 is not JSON'],
    ['{"replies": [\n {"txet": "hi"}]}', 'demo.json:2:2 is not valid at replies[0]'],
    [
      '{"replies": [{"when": {"lastUserMatches": "("}}]}',
      'replies[0].when.lastUserMatches: is not a regular expression',
    ],
    ['{}', 'is not valid at replies'],
  ])('that is wrong (%s) is reported with the place', (text, place) => {
    expect(loadScript(scriptFile(text))).toEqual({ type: 'unknown', message: expect.stringContaining(place) });
  });
});
