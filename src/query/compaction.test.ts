import { describe, expect, it } from 'vitest';
import type { ModelRequest } from '../models/types.ts';
import { fakeHooks, runTurn } from '../testing/runTurn.ts';
import { type ScriptedReply, scriptedReplies } from '../testing/scriptedReplies.ts';
import { fakeTool } from '../testing/tools.ts';
import { compactInstructions } from './compactPrompt.ts';

/** Told by its last words: the rest of the request is the turn's own, byte for byte. */
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
  it('summarises once when the prompt is too long, and goes on', async () => {
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

  it('ends at once when there is nothing to summarise', async () => {
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

  it('drops the oldest third when even the summary does not fit', async () => {
    const { terminal, model } = await runTurn({
      replies: [CALL, CALL, CALL, TOO_LONG, TOO_LONG, { text: 'sum' }, { text: 'done' }],
      tools,
      history: [],
    });
    // three rounds of calls leave nothing that could stand first, so the error stands
    expect(terminal.reason).toBe('prompt_too_long');
    expect(model.requests).toHaveLength(5);
  });
});

describe('auto-compact', () => {
  const full = (replies: ScriptedReply[]) => scriptedReplies(replies, { contextWindow: 1000 });

  it('summarises before the request that would not fit', async () => {
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

  it('stays off after three failures in a row, and says so', async () => {
    const big: ScriptedReply = { ...CALL, usage: { in: 950, out: 1 } };
    const failed: ScriptedReply = { error: { status: 400, message: 'no' } };
    const model = full([big, failed, big, failed, big, failed, big, { text: 'done' }]);
    const { terminal, events } = await runTurn({ replies: model, tools });
    expect(terminal.reason).toBe('completed');
    expect(JSON.stringify(reasons(events))).toContain('It stays off for this session.');
    expect(model.requests.filter(asksForSummary)).toHaveLength(3);
  });

  it('is off when it was switched off', async () => {
    const model = full([{ ...CALL, usage: { in: 990, out: 10 } }, { text: 'done' }]);
    await runTurn({ replies: model, tools, config: { autoCompact: false } });
    expect(model.requests).toHaveLength(2);
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
