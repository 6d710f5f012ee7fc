import { describe, expect, it } from 'vitest';
import type { ConversationMessage, ModelRequest } from '../models/types.ts';
import { fakeClock } from '../testing/fakeClock.ts';
import { fakeHooks, runTurn, turnParams } from '../testing/runTurn.ts';
import { scriptedReplies } from '../testing/scriptedReplies.ts';
import { fakeTool } from '../testing/tools.ts';
import type { QueryEvent } from './events.ts';
import { query } from './query.ts';

const call = (name: string, text: string, id?: string) => ({ name, input: { text }, ...(id ? { id } : {}) });

/** A request's messages, one short line each. */
function textsOf(request: ModelRequest | undefined): string[] {
  return (request?.messages.toArray() ?? []).flatMap((message: ConversationMessage) => {
    if (typeof message.content === 'string') return [`${message.role}: ${message.content}`];
    return message.content.map((block) => {
      if (block.type === 'text') return `${message.role}: ${block.text}`;
      if (block.type === 'tool_use') return `call ${block.name}`;
      if (block.type === 'tool_result') return `${block.is_error ? 'error' : 'result'}: ${String(block.content)}`;
      return block.type;
    });
  });
}

/** Every call has exactly one result, and it comes after the call: what a provider insists on. */
function expectPaired(request: ModelRequest | undefined): void {
  const open = new Set<string>();
  for (const message of request?.messages ?? []) {
    if (typeof message.content === 'string') continue;
    for (const block of message.content) {
      if (block.type === 'tool_use') open.add(block.id);
      if (block.type === 'tool_result') expect(open.delete(block.tool_use_id)).toBe(true);
    }
  }
  expect([...open]).toEqual([]);
}

const kinds = (events: readonly QueryEvent[]) => events.map(({ type }) => type);

describe('a turn', () => {
  it('ends completed when the model answers without tools', async () => {
    const { terminal, events, transcript } = await runTurn({ replies: [{ text: 'done' }] });
    expect(terminal).toEqual({ reason: 'completed' });
    expect(kinds(events)).toEqual(['stream_request_start', 'stream_event', 'assistant']);
    expect(transcript.map(({ type }) => type)).toEqual(['assistant']);
  });

  it('writes each message to the transcript before it emits it', async () => {
    const written: string[] = [];
    await runTurn({
      replies: [{ tools: [call('Echo', 'a')] }, { text: 'done' }],
      tools: [fakeTool('Echo')],
      deps: { transcript: { append: ({ uuid }) => void written.push(uuid) } },
      onEvent: (event) => {
        if ('uuid' in event) expect(written).toContain(event.uuid);
      },
    });
    expect(written).toHaveLength(3);
  });

  it('runs tools, appends their results and sends another request', async () => {
    const { terminal, model } = await runTurn({
      replies: [{ text: 'looking', tools: [call('Echo', 'hi')] }, { text: 'done' }],
      tools: [fakeTool('Echo')],
    });
    expect(terminal.reason).toBe('completed');
    expect(textsOf(model.requests[1])).toEqual(['user: hello', 'assistant: looking', 'call Echo', 'result: hi']);
    expectPaired(model.requests[1]);
  });

  it('runs read-only tools side by side and gives results in call order', async () => {
    const gate = Promise.withResolvers<void>();
    const finished: string[] = [];
    const slow = fakeTool('Slow', {
      readOnly: true,
      run: async ({ text }) => {
        await gate.promise;
        finished.push(text);
        return text;
      },
    });
    const fast = fakeTool('Fast', {
      readOnly: true,
      run: ({ text }) => {
        finished.push(text);
        gate.resolve();
        return text;
      },
    });
    const { model } = await runTurn({
      replies: [{ tools: [call('Slow', 'first'), call('Fast', 'second')] }, { text: 'done' }],
      tools: [slow, fast],
    });
    expect(finished).toEqual(['second', 'first']);
    expect(textsOf(model.requests[1]).filter((line) => line.startsWith('result'))).toEqual([
      'result: first',
      'result: second',
    ]);
  });

  it('runs other tools one after the other', async () => {
    const log: string[] = [];
    const tool = fakeTool('Write', {
      run: async ({ text }) => {
        log.push(`start ${text}`);
        await new Promise((resolve) => setImmediate(resolve));
        log.push(`end ${text}`);
        return text;
      },
    });
    await runTurn({ replies: [{ tools: [call('Write', 'a'), call('Write', 'b')] }, { text: 'done' }], tools: [tool] });
    expect(log).toEqual(['start a', 'end a', 'start b', 'end b']);
  });

  it.each([
    ['an unknown tool', call('Nope', 'x'), /No such tool available: Nope/],
    ['a wrong input', { name: 'Echo', input: { txt: 1 } }, /text/],
    ['a tool that fails', call('Fail', 'x'), /broken/],
  ])('reports %s to the model and continues', async (_what, wrong, message) => {
    const failing = fakeTool('Fail', {
      run: () => {
        throw new Error('broken');
      },
    });
    const { terminal, model } = await runTurn({
      replies: [{ tools: [wrong] }, { text: 'fixed' }],
      tools: [fakeTool('Echo'), failing],
    });
    expect(terminal.reason).toBe('completed');
    expect(textsOf(model.requests[1]).at(-1)).toMatch(message);
    expect(textsOf(model.requests[1]).at(-1)).toMatch(/^error/);
  });

  it('ends max_turns after that many requests, with every call answered', async () => {
    const { terminal, model } = await runTurn({
      replies: [{ tools: [call('Echo', 'again')], repeat: 'forever' }],
      tools: [fakeTool('Echo')],
      config: { maxTurns: 3 },
    });
    expect(terminal).toEqual({ reason: 'max_turns', maxTurns: 3 });
    expect(model.requests).toHaveLength(3);
  });

  it('ends api_error without Stop hooks, and runs StopFailure hooks', async () => {
    const hooks = fakeHooks({ Stop: () => ({ blocks: ['more'] }), StopFailure: () => ({ blocks: ['ignored'] }) });
    const { terminal, events } = await runTurn({ replies: [{ error: { status: 500, message: 'down' } }], hooks });
    expect(terminal.reason).toBe('api_error');
    expect(hooks.calls.map(({ event }) => event)).toEqual(['StopFailure']);
    expect(hooks.calls[0]?.input).toMatchObject({ error: 'server_error' });
    expect(events.find((event) => event.type === 'assistant')).toMatchObject({ apiError: 'server_error' });
  });

  it('retries transient failures, reports each try, and withdraws a partial answer', async () => {
    const clock = fakeClock();
    const running = runTurn({
      replies: [
        { text: 'half an', error: { status: 529, type: 'overloaded_error', message: 'busy' } },
        { text: 'whole' },
      ],
      config: { maxRetries: 2 },
      deps: { clock, random: () => 0.5 },
    });
    while (clock.pending() === 0) await clock.advance(0);
    await clock.advance(60_000);
    const { terminal, events } = await running;
    expect(terminal.reason).toBe('completed');
    const order = kinds(events).filter((type) => type !== 'stream_event');
    expect(order).toEqual(['stream_request_start', 'tombstone', 'system', 'assistant']);
    const streamed = events.find((event) => event.type === 'stream_event');
    const tombstone = events.find((event) => event.type === 'tombstone');
    expect(tombstone?.message.uuid).toBe(streamed?.messageUuid);
    expect(events.find((event) => event.type === 'system')).toMatchObject({
      subtype: 'api_retry',
      data: { attempt: 1 },
    });
  });

  it('asks for the rest of an answer that hit the output limit, three times at most', async () => {
    const { terminal, model, transcript } = await runTurn({
      replies: [{ text: 'piece', stop: 'max_tokens', repeat: 'forever' }],
    });
    expect(terminal).toMatchObject({ reason: 'api_error', failure: { errorClass: 'max_output_tokens' } });
    expect(model.requests).toHaveLength(4);
    expect(transcript.filter((message) => message.type === 'assistant' && !message.apiError)).toHaveLength(4);
  });

  it('resumes a cut answer and completes', async () => {
    const { terminal, model } = await runTurn({ replies: [{ text: 'half', stop: 'max_tokens' }, { text: 'rest' }] });
    expect(terminal.reason).toBe('completed');
    expect(textsOf(model.requests[1])).toHaveLength(3);
  });

  it('gives calls of one answer that share an id, or have none, ids of their own', async () => {
    const { model } = await runTurn({
      replies: [{ tools: [call('Echo', 'a', 'same'), call('Echo', 'b', 'same')] }, { text: 'done' }],
      tools: [fakeTool('Echo')],
    });
    expectPaired(model.requests[1]);
    expect(textsOf(model.requests[1]).filter((line) => line.startsWith('result'))).toEqual(['result: a', 'result: b']);
  });

  it.each(['constructor', '__proto__', 'toString'])(
    'a call of a tool named %s is just an unknown tool',
    async (name) => {
      const { terminal } = await runTurn({ replies: [{ tools: [{ name, input: {} }] }, { text: 'done' }] });
      expect(terminal.reason).toBe('completed');
    },
  );

  it('reports once what a round of tools did', async () => {
    const { events } = await runTurn({
      replies: [{ tools: [call('Echo', 'x')] }, { text: 'half', stop: 'max_tokens' }, { text: 'rest' }],
      tools: [fakeTool('Echo')],
    });
    expect(events.filter(({ type }) => type === 'tool_use_summary')).toHaveLength(1);
  });

  it('runs complete calls of an answer that was cut after them', async () => {
    const { model } = await runTurn({
      replies: [{ tools: [call('Echo', 'ran')], stop: 'max_tokens' }, { text: 'done' }],
      tools: [fakeTool('Echo')],
    });
    expect(textsOf(model.requests[1]).at(-1)).toBe('result: ran');
  });

  it('ends budget_exhausted before the request that would go over', async () => {
    const replies = [{ tools: [call('Echo', 'x')], usage: { in: 1_000_000, out: 0 }, repeat: 'forever' as const }];
    const model = scriptedReplies(replies, { id: 'anthropic/claude-sonnet-4-5' });
    const { terminal } = await runTurn({ replies: model, tools: [fakeTool('Echo')], config: { maxBudgetUsd: 1 } });
    expect(terminal).toMatchObject({ reason: 'budget_exhausted', maxBudgetUsd: 1 });
    expect(model.requests).toHaveLength(1);
  });
});

describe('an abort', () => {
  it('while streaming withdraws the partial answer and leaves an interruption', async () => {
    const controller = new AbortController();
    const { terminal, events, transcript } = await runTurn({
      replies: [{ text: 'one two three four', chunks: 4 }],
      signal: controller.signal,
      onEvent: (event) => event.type === 'stream_event' && controller.abort(),
    });
    expect(terminal).toEqual({ reason: 'aborted_streaming' });
    expect(kinds(events)).toEqual(['stream_request_start', 'stream_event', 'tombstone', 'user']);
    expect(transcript.map(({ type }) => type)).toEqual(['user']);
  });

  it('while tools run ends them and gives every call a result', async () => {
    const controller = new AbortController();
    const hang = fakeTool('Hang', {
      run: (_input, context) =>
        new Promise((_resolve, reject) => {
          context.signal.addEventListener('abort', () => reject(new Error('interrupted')));
          controller.abort();
        }),
    });
    const { terminal, transcript } = await runTurn({
      replies: [{ tools: [call('Hang', 'a', 'call-1'), call('Hang', 'b', 'call-2')] }],
      tools: [hang],
      signal: controller.signal,
    });
    expect(terminal).toEqual({ reason: 'aborted_tools' });
    const results = transcript.flatMap((message) =>
      message.type === 'user' && typeof message.message.content !== 'string'
        ? message.message.content.flatMap((block) => (block.type === 'tool_result' ? [block.tool_use_id] : []))
        : [],
    );
    expect(results).toEqual(['call-1', 'call-2']);
  });

  it('before the first request ends the turn without one', async () => {
    const { terminal } = await runTurn({ replies: [{ text: 'never' }], signal: AbortSignal.abort() });
    expect(terminal.reason).toBe('aborted_streaming');
  });

  it('by a consumer that walks away aborts what runs', async () => {
    let aborted = false;
    const tool = fakeTool('Hang', {
      run: (_input, context) =>
        new Promise((resolve) => {
          context.signal.addEventListener('abort', () => {
            aborted = true;
            resolve('');
          });
        }),
    });
    const model = scriptedReplies([{ tools: [call('Hang', 'a')] }]);
    for await (const event of query(turnParams({ replies: model, tools: [tool] }, model))) {
      if (event.type === 'tool_start') break;
    }
    expect(aborted).toBe(false); // it had not started yet; nothing is left running either way
  });
});
