import { describe, expect, it } from 'vitest';
import type { ModelRequest } from '../models/types.ts';
import { fakeHooks, runTurn } from '../testing/runTurn.ts';
import { type ScriptedReply, scriptedReplies } from '../testing/scriptedReplies.ts';
import { fakeTool } from '../testing/tools.ts';
import { compactInstructions } from './compaction/compactConversation.ts';

/** Recognized by its end: the rest of the request is the turn's own, byte for byte. */
function asksForSummary(request: ModelRequest | undefined): boolean {
  return JSON.stringify(request?.messages.at(-1) ?? '').includes('about to be replaced by a summary');
}

const TOO_LONG: ScriptedReply = {
  error: { status: 400, type: 'invalid_request_error', message: 'prompt is too long: 300000 tokens > 200000 maximum' },
};
const CALL: ScriptedReply = { tools: [{ name: 'Echo', input: { text: 'x' } }] };
const tools = [fakeTool('Echo')];
const reasons = (events: readonly { type: string }[]) => events.filter(({ type }) => type === 'system');

describe('reactive compaction', () => {
  it('summarizes once when the prompt is too long, and continues', async () => {
    const hooks = fakeHooks({ PreCompact: () => ({}), PostCompact: () => ({}) });
    const { terminal, model, events } = await runTurn({
      replies: [CALL, TOO_LONG, { text: 'the summary' }, { text: 'done' }],
      tools,
      hooks,
    });
    expect(terminal.reason).toBe('completed');
    expect(model.requests).toHaveLength(4);
    expect(asksForSummary(model.requests[2])).toBe(true);
    expect(model.requests[2]?.tools).toEqual(model.requests[0]?.tools);
    const after = JSON.stringify(model.requests[3]?.messages.toArray());
    expect(after).toContain('the summary');
    expect(model.requests[3]?.messages).toHaveLength(1);
    expect(hooks.calls.map(({ event }) => event)).toEqual(['PreCompact', 'PostCompact']);
    expect(hooks.calls[1]?.input).toMatchObject({ trigger: 'auto', compact_summary: 'the summary' });
    expect(reasons(events)).toContainEqual(expect.objectContaining({ subtype: 'compact_boundary' }));
  });

  it('ends prompt_too_long the second time', async () => {
    const { terminal, model } = await runTurn({ replies: [CALL, TOO_LONG, { text: 'sum' }, TOO_LONG], tools });
    expect(terminal.reason).toBe('prompt_too_long');
    expect(model.requests).toHaveLength(4);
  });

  it('ends immediately when there is nothing to summarize', async () => {
    const hooks = fakeHooks({ PreCompact: () => ({}), StopFailure: () => ({}) });
    const { terminal, model } = await runTurn({ replies: [TOO_LONG], hooks });
    expect(terminal.reason).toBe('prompt_too_long');
    expect(model.requests).toHaveLength(1);
    expect(hooks.calls.map(({ event }) => event)).toEqual(['StopFailure']);
  });

  it('is refused by a PreCompact hook: the first error stands', async () => {
    const hooks = fakeHooks({ PreCompact: () => ({ blocks: ['keep it'] }) });
    const { terminal, events } = await runTurn({ replies: [CALL, TOO_LONG], tools, hooks });
    expect(terminal.reason).toBe('prompt_too_long');
    expect(JSON.stringify(reasons(events))).toContain('Compaction blocked by PreCompact hook: keep it');
  });

  it('leaves the oldest rounds out when even the summary does not fit, and reports that once', async () => {
    const { terminal, model, events } = await runTurn({
      replies: [...Array(8).fill(CALL), TOO_LONG, TOO_LONG, TOO_LONG, { text: 'sum' }, { text: 'done' }],
      tools,
    });
    expect(terminal.reason).toBe('completed');
    expect(model.requests).toHaveLength(13);
    const [whole, first, second] = model.requests.slice(9, 12).map(({ messages }) => messages.length);
    expect(first).toBeLessThan(whole ?? 0);
    expect(second).toBeLessThanOrEqual(first ?? 0);
    for (const request of model.requests.slice(9, 12)) {
      expect(asksForSummary(request)).toBe(true);
      expect(JSON.stringify(request.messages.at(0))).toContain('hello');
    }
    const notices = reasons(events).filter((event) => JSON.stringify(event).includes('too long even to be summarized'));
    expect(notices).toHaveLength(1);
  });

  it('rescues a long turn again and again, whatever fills it', async () => {
    const long = fakeTool('Echo', { run: () => 'y'.repeat(2_500) });
    const { terminal, model } = await runTurn({
      replies: (request, n) => {
        if (JSON.stringify(request.messages.toArray()).length > 12_000) return TOO_LONG;
        if (asksForSummary(request)) return { text: 'sum' };
        return n > 40 ? { text: 'done' } : CALL;
      },
      tools: [long],
      config: { maxTurns: 60 },
    });
    expect(terminal.reason).toBe('completed');
    expect(model.requests.filter(asksForSummary).length).toBeGreaterThan(4);
  });

  it('gives up after a bounded number of tries', async () => {
    const { terminal, model } = await runTurn({ replies: (_, n) => (n < 3 ? CALL : TOO_LONG), tools });
    expect(terminal.reason).toBe('prompt_too_long');
    expect(model.requests).toHaveLength(4 + 6);
  });

  it('takes no summary that a safety classifier stopped', async () => {
    const { terminal, events } = await runTurn({
      replies: [CALL, TOO_LONG, { text: 'I cannot', stop: 'refusal' }],
      tools,
    });
    expect(terminal.reason).toBe('prompt_too_long');
    expect(JSON.stringify(reasons(events))).toContain('safety classifier stopped the summary');
  });
});

describe('auto-compact', () => {
  const full = (replies: ScriptedReply[]) => scriptedReplies(replies, { contextWindow: 1000 });

  it('summarizes before the request that would not fit', async () => {
    const model = full([{ ...CALL, usage: { in: 900, out: 10 } }, { text: 'sum' }, { text: 'done' }]);
    const { terminal } = await runTurn({ replies: model, tools });
    expect(terminal.reason).toBe('completed');
    expect(asksForSummary(model.requests[1])).toBe(true);
    expect(JSON.stringify(model.requests[2]?.messages.toArray())).toContain('sum');
  });

  it('counts what was added since the provider counted', async () => {
    const long = fakeTool('Echo', { run: () => 'y'.repeat(4000) });
    const model = full([{ ...CALL, usage: { in: 10, out: 10 } }, { text: 'sum' }, { text: 'done' }]);
    await runTurn({ replies: model, tools: [long] });
    expect(asksForSummary(model.requests[1])).toBe(true);
  });

  it('stays off after three failures in a row, and reports that', async () => {
    const big: ScriptedReply = { ...CALL, usage: { in: 950, out: 1 } };
    const failed: ScriptedReply = { error: { status: 400, message: 'no' } };
    const model = full([big, failed, big, failed, big, failed, big, { text: 'done' }]);
    const { terminal, events } = await runTurn({ replies: model, tools });
    expect(terminal.reason).toBe('completed');
    expect(JSON.stringify(reasons(events))).toContain('It stays off for this session.');
    expect(model.requests.filter(asksForSummary)).toHaveLength(3);
  });

  it('ends when the window is full again right after each of three compactions', async () => {
    const big: ScriptedReply = { ...CALL, usage: { in: 950, out: 1 } };
    const model = scriptedReplies((request) => (asksForSummary(request) ? { text: 'sum' } : big), {
      contextWindow: 1000,
    });
    const hooks = fakeHooks({ Stop: () => ({}), StopFailure: () => ({}) });
    const { terminal, transcript } = await runTurn({ replies: model, tools, hooks });
    expect(terminal).toMatchObject({ reason: 'rapid_refill_breaker', failure: { errorClass: 'invalid_request' } });
    expect(model.requests.filter(asksForSummary)).toHaveLength(3);
    expect(model.requests).toHaveLength(7);
    expect(JSON.stringify(transcript.at(-1))).toContain(
      'of 1000 tokens again within 3 requests of being compacted, 3 times',
    );
    expect(hooks.calls.map(({ event }) => event)).toEqual(['StopFailure']);
  });

  it('goes on when there are three requests between compactions', async () => {
    let sinceSummary = 0;
    let left = 40;
    const reply = (request: ModelRequest): ScriptedReply => {
      if (asksForSummary(request)) {
        sinceSummary = 0;
        return { text: 'sum' };
      }
      if (left-- === 0) return { text: 'done' };
      return { ...CALL, usage: { in: ++sinceSummary < 3 ? 10 : 950, out: 1 } };
    };
    const model = scriptedReplies(reply, { contextWindow: 1000 });
    const { terminal } = await runTurn({ replies: model, tools });
    expect(terminal.reason).toBe('completed');
    expect(model.requests.filter(asksForSummary).length).toBeGreaterThan(5);
  });

  it('is off when it was switched off', async () => {
    const model = full([{ ...CALL, usage: { in: 990, out: 10 } }, { text: 'done' }]);
    await runTurn({ replies: model, tools, config: { autoCompact: false } });
    expect(model.requests).toHaveLength(2);
  });
});

describe('a window that is a guess', () => {
  /** A model whose server reports a small window. */
  function guessingModel(replies: ScriptedReply[], sentence?: string) {
    const model = scriptedReplies(replies);
    const learnedAt: number[] = [];
    let contextWindow = 100_000;
    const learn = async () => {
      learnedAt.push(model.requests.length);
      if (sentence === undefined) contextWindow = 1_000;
      return sentence;
    };
    const guessing = {
      ...model,
      get contextWindow() {
        return contextWindow;
      },
      get learnWindow() {
        return learnedAt.length > 0 ? undefined : learn;
      },
    };
    return { model: guessing, learnedAt };
  }

  it('is not requested by a turn of one short request', async () => {
    const { model, learnedAt } = guessingModel([{ text: 'done' }]);
    await runTurn({ replies: model });
    expect(learnedAt).toEqual([]);
  });

  it('is requested once, before the second request, and holds from then on', async () => {
    const { model, learnedAt } = guessingModel([
      { ...CALL, usage: { in: 900, out: 10 } },
      { text: 'sum' },
      CALL,
      { text: 'done' },
    ]);
    const { terminal } = await runTurn({ replies: model, tools });
    expect(terminal.reason).toBe('completed');
    expect(learnedAt).toEqual([1]);
    expect(asksForSummary(model.requests[1])).toBe(true);
  });

  it('is requested before a first request that is long, and an unknown window is reported', async () => {
    const { model, learnedAt } = guessingModel([{ text: 'done' }], 'It does not say.');
    const { events } = await runTurn({ replies: model, prompt: 'x'.repeat(20_000) });
    expect(learnedAt).toEqual([0]);
    expect(reasons(events)).toContainEqual(expect.objectContaining({ content: 'It does not say.', level: 'warning' }));
  });
});

describe('/compact as a prompt', () => {
  it.each([
    ['/compact', null],
    [' /compact \n', null],
    ['/compact keep the names', 'keep the names'],
    ['/compact\nkeep\nthem', 'keep\nthem'],
    ['/compactor', undefined],
    ['/compact-it now', undefined],
    ['please /compact', undefined],
  ])('%j', (prompt, instructions) => {
    expect(compactInstructions(prompt)).toBe(instructions);
  });
});
