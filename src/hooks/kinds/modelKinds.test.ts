import { describe, expect, it } from 'vitest';
import { runHook, testEvent } from '../../../tests/support/testHooks.ts';
import { type AgentAnswer, type AgentTask, agentHook } from './agent.ts';
import { type McpAnswer, type McpCall, mcpToolHook } from './mcpTool.ts';
import { type ModelAnswer, promptHook, type Question } from './prompt.ts';

function answering<Asked, Answer>(...answers: Answer[]) {
  const asked: Asked[] = [];
  const ask = async (question: Asked): Promise<Answer> => {
    asked.push(question);
    const answer = answers[Math.min(asked.length, answers.length) - 1];
    if (answer === undefined) throw new Error('nothing to say');
    return answer;
  };
  return { ask, asked };
}
const ok = (text: string) => ({ type: 'ok', text }) as const;
const never = (question: { signal: AbortSignal }) =>
  new Promise<never>((_, reject) => question.signal.addEventListener('abort', () => reject(new Error('aborted'))));

describe('a prompt hook', () => {
  const prompt = { type: 'prompt', prompt: 'Did it finish? $ARGUMENTS' };
  const judge = (...answers: ModelAnswer[]) => answering<Question, ModelAnswer>(...answers);

  it('asks about the event, with the conversation, and lets a no block', async () => {
    const { ask, asked } = judge(ok('{"ok": false, "reason": "the tests were not run"}'));
    const outcome = await runHook(promptHook(ask), { ...prompt, model: 'small' });
    expect(outcome).toMatchObject({
      reply: { block: { by: 'judge', reason: 'the tests were not run', continues: false } },
    });
    expect(asked).toMatchObject([{ withConversation: true, model: 'small', subject: { sessionId: 'session-1' } }]);
    expect(asked[0]?.prompt).toMatch(/^Did it finish\? \{.*"hook_event_name":"Stop"/);
  });

  it('lets a yes, and what is impossible, pass', async () => {
    for (const text of ['{"ok": true}', '{"ok": false, "reason": "no network", "impossible": true}']) {
      expect(await runHook(promptHook(judge(ok(text)).ask), prompt)).toMatchObject({
        type: 'said',
        reply: { specific: {} },
      });
    }
  });

  it('shows the text of a prompt that asks for one', async () => {
    const summarize = { type: 'prompt', prompt: 'Summarize what was done.' };
    const noted = await runHook(promptHook(judge(ok('{"ok": true, "note": "Two files changed."}')).ask), summarize);
    expect(noted).toMatchObject({ type: 'said', reply: { systemMessage: 'Two files changed.' } });
    // prose is what was asked for: no second request
    const { ask, asked } = judge(ok('Two files\nchanged.\n'));
    const prose = await runHook(promptHook(ask), summarize);
    expect(prose).toMatchObject({ type: 'said', reply: { systemMessage: 'Two files\nchanged.', specific: {} } });
    expect(asked).toHaveLength(1);
    // a verdict counts all the same
    const no = await runHook(promptHook(judge(ok('{"ok": false, "reason": "r"}')).ask), summarize);
    expect(no).toMatchObject({ reply: { block: { reason: 'r' } } });
  });

  it('shows what a model wrote in place of a verdict', async () => {
    const outcome = await runHook(promptHook(judge(ok('Two files\nchanged.')).ask), prompt);
    expect(outcome).toMatchObject({ type: 'failed', message: expect.stringContaining('it wrote: Two files changed.') });
  });

  it('passes continueOnBlock on', async () => {
    const { ask } = judge(ok('{"ok": false, "reason": "r"}'));
    const outcome = await runHook(promptHook(ask), { ...prompt, continueOnBlock: true });
    expect(outcome).toMatchObject({ reply: { block: { continues: true } } });
  });

  it('asks once more for an answer it cannot read', async () => {
    const { ask, asked } = judge(ok('Looks unfinished to me.'), ok('{"ok": false, "reason": "unfinished"}'));
    expect(await runHook(promptHook(ask), prompt)).toMatchObject({ reply: { block: { reason: 'unfinished' } } });
    expect(asked[1]?.prompt).toContain('Looks unfinished to me.');
    expect(asked[1]?.withConversation).toBe(false);
  });

  it('gives up after the second, without a block', async () => {
    const { ask, asked } = judge(ok('garbage'));
    expect(await runHook(promptHook(ask), prompt)).toMatchObject({
      type: 'failed',
      failure: 'answer',
      message: expect.stringMatching(/not even when asked again/),
    });
    expect(asked).toHaveLength(2);
  });

  it('gives no verdict when the model fails, throws or is late', async () => {
    const failing = judge({ type: 'failed', message: 'rate limited' });
    expect(await runHook(promptHook(failing.ask), prompt)).toMatchObject({
      type: 'failed',
      message: 'the model failed: rate limited',
    });
    expect(await runHook(promptHook(judge().ask), prompt)).toMatchObject({
      type: 'failed',
      failure: 'execution',
      message: 'nothing to say',
    });
    expect(await runHook(promptHook(never), { ...prompt, timeout: 0.05 })).toMatchObject({
      type: 'failed',
      failure: 'timeout',
    });
  });
});

describe('an agent hook', () => {
  const agent = { type: 'agent', prompt: 'Review the changes. $ARGUMENTS', tools: ['Bash', 'FileRead'] };
  const work = (...answers: AgentAnswer[]) => answering<AgentTask, AgentAnswer>(...answers);

  it('gives the agent its tools and at most 50 turns', async () => {
    const { ask, asked } = work(ok('{"ok": true}'));
    expect(await runHook(agentHook(ask), agent)).toMatchObject({ type: 'said', reply: { specific: {} } });
    expect(asked).toMatchObject([{ tools: ['Bash', 'Read'], maxTurns: 50 }]);
  });

  it('prefers a structured answer, and does not take impossible for an end', async () => {
    const { ask } = work({
      type: 'ok',
      text: '{"ok": true}',
      structured: { ok: false, reason: 'r', impossible: true },
    });
    expect(await runHook(agentHook(ask), agent)).toMatchObject({
      reply: { block: { by: 'decision', reason: 'Agent hook condition was not met: r' } },
    });
  });

  it('gives no verdict when the agent fails or answers something else', async () => {
    expect(await runHook(agentHook(work({ type: 'failed', message: 'max turns' }).ask), agent)).toMatchObject({
      message: 'the agent failed: max turns',
    });
    expect(await runHook(agentHook(work(ok('done!')).ask), agent)).toMatchObject({ type: 'failed', failure: 'answer' });
    expect(await runHook(agentHook(never), { ...agent, timeout: 0.05 })).toMatchObject({ failure: 'timeout' });
  });

  it('is cancelled with the turn', async () => {
    expect(await runHook(agentHook(never), agent, { signal: AbortSignal.abort() })).toMatchObject({
      type: 'cancelled',
    });
  });
});

describe('an mcp_tool hook', () => {
  const placeholder = (name: string) => `\${${name}}`;
  const input = {
    file: placeholder('tool_input.path'),
    all: placeholder('tool_input'),
    text: `in ${placeholder('cwd')}`,
    n: 5,
  };
  const entry = { type: 'mcp_tool', server: 'memory', tool: 'check', input };
  const call = (...answers: McpAnswer[]) => answering<McpCall, McpAnswer>(...answers);
  const event = testEvent('PreToolUse', { tool_name: 'Bash', tool_input: { path: '/a' } });

  it('fills its input from the event and reads the text as output', async () => {
    const { ask, asked } = call(ok('{"decision":"block","reason":"no"}'));
    expect(await runHook(mcpToolHook(ask), entry, { event })).toMatchObject({ reply: { block: { reason: 'no' } } });
    expect(asked).toMatchObject([
      {
        server: 'memory',
        tool: 'check',
        input: { file: '/a', all: '{"path":"/a"}', text: `in ${process.cwd()}`, n: 5 },
      },
    ]);
  });

  it('gives no verdict when the server is gone or the tool fails', async () => {
    expect(
      await runHook(mcpToolHook(call({ type: 'failed', message: 'not connected' }).ask), entry, { event }),
    ).toMatchObject({ type: 'failed', message: 'not connected' });
    const failing = call({ type: 'ok', text: '{"decision":"block"}', isError: true });
    expect(await runHook(mcpToolHook(failing.ask), entry, { event })).toMatchObject({
      type: 'failed',
      message: expect.stringMatching(/answered with an error/),
    });
  });
});
