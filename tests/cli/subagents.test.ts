import { describe, expect, it } from 'vitest';
import type { ServerReply } from '../../src/testing/modelServer.ts';
import { testProject } from '../support/project.ts';

const STREAM = ['--output-format', 'stream-json'];
const agent = (task: string, more: object = {}) => ({
  name: 'Agent',
  id: `call_${task}`,
  input: { description: task, prompt: `SUBTASK ${task}`, ...more },
});

/** The task of a subagent's request; undefined for the main agent's. */
const taskIn = (body: { messages: unknown[] }) => /SUBTASK (\w+)/.exec(JSON.stringify(body.messages[0]))?.[1];

/** A main agent that starts subagents in its first answer; each subagent's answer comes when `child` gives it. */
const family =
  (tasks: readonly ReturnType<typeof agent>[], child: (task: string) => ServerReply | Promise<ServerReply>) =>
  (body: { messages: { role: string }[] }) => {
    const task = taskIn(body);
    if (task !== undefined) return child(task);
    return body.messages.some(({ role }) => role === 'assistant') ? { text: 'main end' } : { tools: tasks };
  };

/** Resolves for all when `count` have arrived: a server that needs them together. */
function meeting(count: number) {
  const all = Promise.withResolvers<void>();
  let arrived = 0;
  return async () => {
    arrived += 1;
    if (arrived === count) all.resolve();
    await all.promise;
  };
}

describe.concurrent('subagents of one answer', () => {
  it('run side by side, and their results come in the order of the calls', async () => {
    const meet = meeting(3);
    const answer = family([agent('a'), agent('b'), agent('c')], async (task) => {
      await meet();
      return { text: `report ${task}`, usage: { out: 100 } };
    });
    await using project = await testProject(answer);
    const { code, lines } = await project.run(['-p', 'go', ...STREAM]);
    expect(code).toBe(0);
    const results = lines
      .filter(({ type, parent_tool_use_id }) => type === 'user' && parent_tool_use_id === null)
      .flatMap(({ message }) => message.content)
      .filter(({ type }) => type === 'tool_result');
    expect(results.map(({ tool_use_id, content }) => [tool_use_id, content])).toEqual([
      ['call_a', 'report a'],
      ['call_b', 'report b'],
      ['call_c', 'report c'],
    ]);
    expect(lines.at(-1)).toMatchObject({ result: 'main end', usage: { output_tokens: 340 } });
    const own = project.transcripts().filter((file) => file.includes('subagents'));
    expect(own).toHaveLength(3);
  });

  it('are bounded by CLAUDE_CODE_MAX_CONCURRENT_SUBAGENTS', async () => {
    let running = 0;
    let most = 0;
    const pairs = [meeting(2), meeting(2)];
    let started = 0;
    const answer = family(
      ['a', 'b', 'c', 'd'].map((task) => agent(task)),
      async (task) => {
        running += 1;
        most = Math.max(most, running);
        await pairs[Math.floor(started++ / 2)]?.();
        running -= 1;
        return { text: task };
      },
    );
    await using project = await testProject(answer);
    const env = { CLAUDE_CODE_MAX_CONCURRENT_SUBAGENTS: '2' };
    const { lines } = await project.run(['-p', 'go', ...STREAM], { env });
    expect(most).toBe(2);
    expect(lines.at(-1).result).toBe('main end');
  });

  it('run one at a time under --max-budget-usd, so that the limit holds', async () => {
    let running = 0;
    let most = 0;
    const answer = family([agent('a'), agent('b')], async (task) => {
      running += 1;
      most = Math.max(most, running);
      await new Promise((turned) => setImmediate(turned));
      running -= 1;
      return { text: task };
    });
    await using project = await testProject(answer);
    await project.run(['-p', 'go', ...STREAM, '--max-budget-usd', '5', '--model', 'claude-sonnet-4-5']);
    expect(most).toBe(1);
  });

  it('all end when the session is interrupted', async () => {
    const meet = meeting(3);
    const allWork = Promise.withResolvers<void>();
    const answer = family([agent('a'), agent('b'), agent('c')], async () => {
      await meet();
      allWork.resolve();
      return { text: 'half', breakOff: 'hang' };
    });
    await using project = await testProject(answer);
    const running = project.start(['-p', 'go', ...STREAM]);
    await allWork.promise;
    running.child.kill('SIGINT');
    const { code } = await running.ended;
    expect(code).toBe(130);
    const ends = await Promise.all(project.server.seen.slice(1).map(({ closed }) => closed));
    expect(ends).toEqual(['broken', 'broken', 'broken']);
  });

  it('of an unknown kind are an error that names the kinds, and nothing is spent on them', async () => {
    const answer = family([agent('a', { subagent_type: 'wizard' })], () => ({ text: 'never' }));
    await using project = await testProject(answer);
    const { lines } = await project.run(['-p', 'go', ...STREAM]);
    const [result] = lines
      .filter(({ type }) => type === 'user')
      .flatMap(({ message }) => message.content)
      .filter(({ type }) => type === 'tool_result');
    expect(result).toMatchObject({
      is_error: true,
      content: expect.stringMatching(/Agent type 'wizard' not found.*Explore/),
    });
    expect(project.server.seen.filter(({ body }) => taskIn(body) !== undefined)).toEqual([]);
  });
});
