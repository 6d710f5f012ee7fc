import { describe, expect, it } from 'vitest';
import { callTool, testToolContext } from '../../testing/toolContext.ts';
import { type BackgroundTask, backgroundTasks } from '../background/backgroundTasks.ts';
import { observedInput } from '../tool.ts';
import type { SubagentEnd, SubagentRequest, ToolContext } from '../toolContext.ts';
import { agentTool } from './agent.ts';

const END: SubagentEnd = {
  agentId: 'a1',
  reason: 'completed',
  completed: true,
  answer: 'Found it.',
  totalTokens: 12,
  totalToolUses: 3,
  durationMs: 40,
};

async function callAgent(end: Partial<SubagentEnd>, more: { input?: object; context?: Partial<ToolContext> } = {}) {
  const requests: SubagentRequest[] = [];
  await using context = await testToolContext({
    async *runSubagent(request) {
      requests.push(request);
      yield { type: 'step', number: 1 };
      return { ...END, ...end };
    },
    ...more.context,
  });
  const called = await callTool(agentTool, { description: 'Search', prompt: 'Find it', ...more.input }, context);
  return { ...called, requests };
}

describe('Agent', () => {
  it('shows progress and returns the answer', async () => {
    const { outcome, progress, requests } = await callAgent({});
    expect(progress).toEqual([{ type: 'progress', data: { type: 'step', number: 1 } }]);
    expect(outcome).toEqual({
      type: 'done',
      output: {
        status: 'completed',
        agentId: 'a1',
        content: [{ type: 'text', text: 'Found it.' }],
        totalTokens: 12,
        totalToolUseCount: 3,
        totalDurationMs: 40,
      },
      content: 'Found it.',
    });
    expect(requests).toMatchObject([{ subagentType: 'general-purpose', prompt: 'Find it', toolUseId: 'toolu_test' }]);
  });

  it('passes on its type and model', async () => {
    const { requests } = await callAgent({}, { input: { subagent_type: 'reviewer', model: 'small' } });
    expect(requests).toMatchObject([{ subagentType: 'reviewer', model: 'small' }]);
  });

  it('works on in the background, and its end is reported', async () => {
    const ended: Promise<unknown>[] = [];
    const background = {
      ...backgroundTasks(),
      add: (_task: BackgroundTask, end: Promise<unknown>) => void ended.push(end),
    };
    async function* runSubagent() {
      yield { type: 'agent_started', agentId: 'a1', transcriptPath: '/agent.jsonl' };
      yield { type: 'step' };
      return END;
    }
    const { outcome } = await callAgent(
      {},
      { input: { run_in_background: true }, context: { background, runSubagent } },
    );
    expect(outcome).toMatchObject({
      output: { status: 'async_launched', agentId: 'a1', outputFile: '/agent.jsonl' },
      content: expect.stringContaining('You will receive its answer'),
    });
    expect(await Promise.all(ended)).toMatchObject([
      {
        status: 'completed',
        summary: 'Agent "Search" finished',
        more: expect.stringContaining('<result>Found it.</result>'),
      },
    ]);
  });

  it.each([
    ['Half.', 'The subagent did not complete its task: it ended with max_turns. Its last answer was:\nHalf.'],
    ['', 'The subagent did not complete its task: it ended with max_turns. It gave no answer.'],
  ])('reports how it ended when it did not complete, with %j', async (answer, message) => {
    const { outcome } = await callAgent({ completed: false, reason: 'max_turns', answer });
    expect(outcome).toEqual({ type: 'failed', message });
  });

  it('reports why a subagent was not started, and nothing else', async () => {
    const end = { completed: false, reason: 'not_started', answer: "Agent type 'x' not found." };
    const { outcome } = await callAgent(end);
    expect(outcome).toEqual({ type: 'failed', message: "Agent type 'x' not found." });
  });

  it('shows hooks and rules the real name of its type', async () => {
    await using context = await testToolContext({ subagentName: (name) => (name === 'explore' ? 'Explore' : name) });
    const input = { description: 'x', prompt: 'y', subagent_type: 'explore' };
    const observed = observedInput(agentTool, input, context);
    expect(observed).toEqual({ ...input, subagent_type: 'Explore' });
    expect(agentTool.permission(observed, context)).toMatchObject({ content: 'Explore' });
  });

  it('was interrupted when its call was', async () => {
    const end = { completed: false, reason: 'aborted_streaming' };
    const { outcome } = await callAgent(end, { context: { signal: AbortSignal.abort() } });
    expect(outcome).toMatchObject({ type: 'failed', interrupted: true });
  });

  it('does not start inside a subagent', async () => {
    await using context = await testToolContext();
    const { outcome } = await callTool(agentTool, { description: 'x', prompt: 'y' }, context);
    expect(outcome).toMatchObject({ type: 'failed', message: expect.stringContaining('cannot start another one') });
  });

  it('stops its subagent when its caller stops listening', async () => {
    let ended = false;
    await using context = await testToolContext({
      async *runSubagent() {
        try {
          for (;;) yield {};
        } finally {
          ended = true;
        }
      },
    });
    for await (const _ of agentTool.call({ description: 'x', prompt: 'y' }, context)) break;
    expect(ended).toBe(true);
  });
});
