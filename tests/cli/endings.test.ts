import { describe, expect, it } from 'vitest';
import { testProject } from '../support/project.ts';

const JSON_OUT = ['--output-format', 'json'];
const SONNET = ['--model', 'claude-sonnet-4-5'];
const bash = (command: string) => ({ name: 'Bash', input: { command, description: 'test' } });
const agent = (prompt: string) => ({ name: 'Agent', input: { description: 'sub', prompt, run_in_background: false } });

describe.concurrent('a refusal', () => {
  it('after which nothing comes is a failure, in words', async () => {
    await using project = await testProject((_body, n) => (n === 0 ? { text: '', stop: 'refusal' } : { text: '' }));
    const { code, lines } = await project.run(['-p', 'hello', ...JSON_OUT]);
    expect(code).toBe(1);
    expect(lines[0]).toMatchObject({ is_error: true, terminal_reason: 'api_error' });
    expect(lines[0].result).toContain('safety classifier stopped its answer, and it returned nothing');
    expect(project.server.seen).toHaveLength(3);
  });

  it('that is followed by work is not', async () => {
    const replies = [{ text: '', stop: 'refusal' }, { tools: [bash('true')] }, { text: '' }, { text: '' }];
    await using project = await testProject((_body, n) => replies[n]);
    const { code, stderr } = await project.run(['-p', 'hello', '--allowedTools', 'Bash']);
    expect(code).toBe(0);
    expect(stderr).toContain("The model's answer is empty, although it was asked again.");
  });
});

describe.concurrent('replies that break off', () => {
  const price = (input: number, output: number) => (input * 3 + output * 15) / 1e6;

  it('are counted: what the provider counted, and an estimate of what was written', async () => {
    const half = { text: 'x'.repeat(4_000), breakOff: 'cut', usage: { in: 100_000, cacheRead: 10 } } as const;
    await using project = await testProject((_body, n) =>
      n < 2 ? half : { text: 'whole', usage: { in: 10, out: 5 } },
    );
    const { lines } = await project.run(['-p', 'hello', ...JSON_OUT, ...SONNET]);
    expect(project.server.seen).toHaveLength(3);
    const [result] = lines;
    expect(result.total_cost_usd).toBeCloseTo(2 * price(100_000, 1_000) + 2 * 10 * 0.3e-6 + price(10, 5), 6);
    expect(result.usage).toMatchObject({ input_tokens: 200_010, output_tokens: 2_005, cache_read_input_tokens: 20 });
    expect(result.cost_note).toBe('2 replies broke off; their tokens are estimated');
    expect(result.estimated_requests).toBe(2);
  });

  it('hold --max-budget-usd: nothing is tried again with money that is spent', async () => {
    const half = { text: 'x', breakOff: 'cut', usage: { in: 100_000 } } as const;
    await using project = await testProject(() => half);
    const args = ['-p', 'hello', ...JSON_OUT, ...SONNET, '--max-budget-usd', '0.5'];
    const { code, lines } = await project.run(args);
    expect(code).toBe(1);
    expect(lines[0]).toMatchObject({ subtype: 'error_max_budget_usd', terminal_reason: 'budget_exhausted' });
    expect(project.server.seen).toHaveLength(2);
    expect(lines[0].total_cost_usd).toBeCloseTo(2 * price(100_000, 1), 4);
  });

  it('are counted when the person interrupts', async () => {
    await using project = await testProject(() => ({ text: 'x'.repeat(400), breakOff: 'hang', usage: { in: 1_000 } }));
    const args = ['-p', 'hello', ...SONNET, '--output-format', 'stream-json', '--include-partial-messages'];
    const running = project.start(args);
    await running.sees('text_delta');
    running.child.kill('SIGINT');
    const { code, lines } = await running.ended;
    expect(code).toBe(130);
    expect(lines.at(-1)).toMatchObject({
      type: 'result',
      estimated_requests: 1,
      usage: { input_tokens: 1_000, output_tokens: 100 },
    });
  });

  it('cost nothing when the provider never began', async () => {
    await using project = await testProject((_body, n) => (n === 0 ? { error: { status: 529 } } : { text: 'ok' }));
    const { lines } = await project.run(['-p', 'hello', ...JSON_OUT, ...SONNET]);
    expect(lines[0].estimated_requests).toBeUndefined();
    expect(lines[0].modelUsage['anthropic/claude-sonnet-4-5'].requests).toBe(1);
  });
});

describe.concurrent('--max-turns', () => {
  /** A main agent that delegates and subagents that never stop by themselves. */
  const endless = (body: { messages: unknown[] }) =>
    JSON.stringify(body.messages[0]).includes('SUBTASK') || JSON.stringify(body.messages[1] ?? '').includes('SUBTASK')
      ? { tools: [bash('true')] }
      : { tools: [agent('SUBTASK go')] };

  it('bounds each subagent as well', async () => {
    await using project = await testProject(endless);
    const { code, lines } = await project.run([
      '-p',
      'hello',
      ...JSON_OUT,
      '--allowedTools',
      'Bash',
      '--max-turns',
      '3',
    ]);
    expect(code).toBe(1);
    expect(lines[0].terminal_reason).toBe('max_turns');
    expect(project.server.seen.length).toBeLessThanOrEqual(3 + 3 * 3);
    const told = project.server.seen.map(({ body }) => JSON.stringify(body.messages)).join('\n');
    expect(told).toContain('it ended with max_turns');
  });

  it('an agent can have fewer by its own definition, and never more', async () => {
    await using project = await testProject((body) =>
      JSON.stringify(body.messages).includes('it ended with max_turns') ? { text: 'done' } : endless(body),
    );
    const agents = JSON.stringify({ 'general-purpose': { description: 'x', prompt: 'y', maxTurns: 2 } });
    await project.run(['-p', 'hello', '--agents', agents, '--allowedTools', 'Bash', '--max-turns', '9']);
    expect(project.server.seen).toHaveLength(1 + 2 + 1);
  });
});
