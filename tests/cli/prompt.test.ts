import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { testProject } from '../support/project.ts';

const STREAM = ['--output-format', 'stream-json'];
const bash = (command: string) => ({ name: 'Bash', input: { command, description: 'test' } });

describe.concurrent('stopgate -p', () => {
  it('prints the answer and nothing else to a pipe', async () => {
    await using project = await testProject(() => ({ text: 'the answer' }));
    const { code, stdout, stderr } = await project.run(['-p', 'hello']);
    expect({ code, stdout, stderr }).toEqual({ code: 0, stdout: 'the answer\n', stderr: '' });
  });

  it('sends the prompt, the instructions, the tools and the piped text to the model', async () => {
    await using project = await testProject(() => ({ text: 'ok' }));
    project.write('CLAUDE.md', 'Always use tabs.');
    project.write('sub/AGENTS.md', 'not read from here');
    await project.run(['-p', 'review this', '--append-system-prompt', 'EXTRA'], { input: 'the diff' });
    const { body, headers } = project.server.seen[0] ?? {};
    const sent = JSON.stringify(body.messages);
    expect(sent).toContain('Always use tabs.');
    expect(sent).toContain('review this');
    expect(sent).toContain('the diff');
    expect(JSON.stringify(body.system)).toContain('EXTRA');
    expect(body.tools.map((tool: { name: string }) => tool.name)).toContain('Bash');
    expect(headers?.['x-api-key']).toBe('dummy');
    expect(JSON.stringify(body)).toContain('cache_control');
  });

  it('json: one result with usage and cost', async () => {
    await using project = await testProject(() => ({
      text: 'x',
      usage: { in: 10, out: 5, cacheRead: 100, cacheWrite: 50 },
    }));
    const { lines } = await project.run(['-p', 'hello', '--output-format', 'json', '--model', 'claude-sonnet-4-5']);
    expect(lines).toHaveLength(1);
    expect(lines[0]).toMatchObject({
      type: 'result',
      subtype: 'success',
      is_error: false,
      result: 'x',
      terminal_reason: 'completed',
      num_turns: 1,
      usage: { input_tokens: 10, output_tokens: 5, cache_read_input_tokens: 100, cache_creation_input_tokens: 50 },
    });
    expect(lines[0].total_cost_usd).toBeCloseTo((10 * 3 + 5 * 15 + 100 * 0.3 + 50 * 3.75) / 1e6, 10);
  });

  it('says that a price is unknown instead of counting nothing', async () => {
    await using project = await testProject(() => ({ text: 'x' }));
    const { lines } = await project.run([
      '-p',
      'hello',
      '--output-format',
      'json',
      '--model',
      'anthropic/claude-mystery-9',
    ]);
    expect(lines[0].total_cost_usd).toBeNull();
    expect(lines[0].cost_note).toContain('claude-mystery-9');
    const refused = await project.run([
      '-p',
      'hello',
      '--model',
      'anthropic/claude-mystery-9',
      '--max-budget-usd',
      '1',
    ]);
    expect(refused.code).toBe(2);
    expect(refused.stderr).toMatch(/^stopgate: --max-budget-usd needs a price, and none is known for .*\n$/);
  });

  it('stream-json: init, each message, result', async () => {
    await using project = await testProject((_body, n) => (n === 0 ? { tools: [bash('echo hi')] } : { text: 'done' }));
    const { lines } = await project.run(['-p', 'hello', ...STREAM, '--allowedTools', 'Bash']);
    const kinds = lines.map(({ type, subtype }) => (subtype ? `${type}/${subtype}` : type));
    expect(kinds.filter((kind) => kind !== 'tool_use_summary')).toEqual([
      'system/init',
      'assistant',
      'user',
      'assistant',
      'result/success',
    ]);
    const result = lines.find(({ tool_use_result }) => tool_use_result);
    expect(result.tool_use_result).toMatchObject({ stdout: 'hi', stderr: '', interrupted: false });
    expect(new Set(lines.filter(({ session_id }) => session_id).map(({ session_id }) => session_id)).size).toBe(1);
  });

  it('waits for a background command, says so, and shows the answer to its end', async () => {
    const command = {
      name: 'Bash',
      input: { command: 'sleep 1; echo over', description: 'slow', run_in_background: true },
    };
    await using project = await testProject((_body, n) => (n === 0 ? { tools: [command] } : { text: `answer ${n}` }));
    const { stdout, stderr, code } = await project.run(['-p', 'hello', '--allowedTools', 'Bash']);
    expect([stdout, code]).toEqual(['answer 2\n', 0]);
    expect(stderr).toContain('stopgate: Waiting for background work: "slow" (at most 10m; Ctrl-C ends it).');
  });

  it('gives up on a background command after the ceiling, ends it and names it', async () => {
    const command = { name: 'Bash', input: { command: 'sleep 300', description: 'endless', run_in_background: true } };
    await using project = await testProject((_body, n) => (n === 0 ? { tools: [command] } : { text: `answer ${n}` }));
    const env = { CLAUDE_CODE_PRINT_BG_WAIT_CEILING_MS: '300' };
    const { stdout, stderr, code } = await project.run(['-p', 'hello', '--allowedTools', 'Bash'], { env });
    expect([stdout, code]).toEqual(['answer 1\n', 122]);
    expect(stderr).toMatch(/^stopgate: left running: ended with the session: .*sleep 300 \(process \d+, \d+s old\)$/m);
    expect(stderr).toContain('Ended background work that was still running: "endless" (STOPGATE_BG_WAIT_CEILING_MS');
  });

  it('stream-json with partial messages tells pieces first, and withdraws those of a broken reply', async () => {
    await using project = await testProject((_body, n) =>
      n === 0 ? { text: 'half', breakOff: 'cut' } : { text: 'whole' },
    );
    const { lines, code } = await project.run(['-p', 'hello', ...STREAM, '--include-partial-messages']);
    expect(code).toBe(0);
    const order = lines.map(({ type, subtype }) => subtype ?? type);
    expect(order.indexOf('tombstone')).toBeGreaterThan(order.indexOf('stream_event'));
    expect(order.indexOf('api_retry')).toBeGreaterThan(order.indexOf('tombstone'));
    expect(lines.at(-1).result).toBe('whole');
  });

  it('a denied call is an answer for the model and a line in the result', async () => {
    await using project = await testProject((_body, n) =>
      n === 0 ? { tools: [bash('touch made')] } : { text: 'could not' },
    );
    const { lines, code } = await project.run(['-p', 'hello', ...STREAM]);
    expect(code).toBe(0);
    expect(lines.at(-1).permission_denials).toMatchObject([
      { tool_name: 'Bash', tool_input: { command: 'touch made' } },
    ]);
    expect(existsSync(`${project.dir}/made`)).toBe(false);
    const told = JSON.stringify(project.server.seen[1]?.body.messages);
    expect(told).toContain('needs permission');
    expect(told).toContain('--allowedTools');
  });

  it('keeps provider keys out of the commands it runs', async () => {
    await using project = await testProject((_body, n) => (n === 0 ? { tools: [bash('env')] } : { text: 'ok' }));
    await project.run(['-p', 'hello', '--allowedTools', 'Bash'], {
      env: { OPENAI_API_KEY: 'sk-secret', PLAIN: 'yes' },
    });
    const told = JSON.stringify(project.server.seen[1]?.body.messages);
    expect(told).toContain('PLAIN=yes');
    expect(told).not.toContain('sk-secret');
    expect(told).not.toContain('ANTHROPIC_API_KEY');
  });

  it('runs a subagent with its own transcript and counts its tokens', async () => {
    await using project = await testProject((body) => {
      const text = JSON.stringify(body.messages);
      if (!text.includes('count the files'))
        return { tools: [{ name: 'Agent', input: { description: 'count', prompt: 'count the files' } }] };
      if (body.tools.some((tool: { name: string }) => tool.name === 'Agent'))
        return { text: 'main end', usage: { out: 7 } };
      return { text: 'there are three', usage: { out: 1000 } };
    });
    const { lines } = await project.run(['-p', 'go', ...STREAM]);
    const result = lines.at(-1);
    expect(result).toMatchObject({ result: 'main end', terminal_reason: 'completed' });
    expect(result.usage.output_tokens).toBeGreaterThanOrEqual(1007);
    expect(lines.some(({ parent_tool_use_id, type }) => type === 'assistant' && parent_tool_use_id)).toBe(true);
    expect(JSON.stringify(project.server.seen.at(-1)?.body.messages)).toContain('there are three');
    const own = project.transcripts().filter((file) => file.includes('subagents'));
    expect(own).toHaveLength(1);
    expect(readFileSync(own[0] as string, 'utf8')).toContain('there are three');
  });

  it('bounds what a 10 MB command output costs', async () => {
    await using project = await testProject((_body, n) =>
      n === 0 ? { tools: [bash('yes | head -c 10000000')] } : { text: 'ok' },
    );
    await project.run(['-p', 'hello', '--allowedTools', 'Bash']);
    expect(project.server.seen[1]?.raw.length).toBeLessThan(120_000);
  });

  it('names a key that is a letter off: a lost deny list is worse than a lost hook', async () => {
    await using project = await testProject(() => ({ text: 'ok' }));
    project.write('.claude/settings.json', '{ "permisions": { "deny": ["Bash"] }, "someOtherKey": 1 }');
    const { stderr } = await project.run(['-p', 'hello']);
    expect(stderr).toMatch(/settings\.json:1: permisions is not known; did you mean "permissions"\?/);
    expect(stderr).not.toContain('someOtherKey');
  });

  it('names a broken settings file and works without it', async () => {
    await using project = await testProject(() => ({ text: 'ok' }));
    project.write('.claude/settings.json', '{ "permissions": { "deny": ["Bash(rm *)", 7] }, }');
    project.write('.claude/settings.local.json', '{ "permissions": { "deny": ["Edit", 7] } }');
    const { code, stderr, stdout } = await project.run(['-p', 'hello']);
    expect({ code, stdout }).toEqual({ code: 0, stdout: 'ok\n' });
    expect(stderr).toMatch(/settings\.json:1:47 is not plain JSON/);
    expect(stderr).toMatch(/settings\.local\.json.*permissions\.deny\[1\]/);
    const tools = project.server.seen[0]?.body.tools.map((tool: { name: string }) => tool.name);
    expect(tools).not.toContain('Edit');
  });
});
