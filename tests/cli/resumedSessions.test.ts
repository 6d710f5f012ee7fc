import { appendFileSync, existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { testProject } from '../support/project.ts';

const json = ['--output-format', 'json'];

/** A local server that speaks chat completions, with thinking. */
async function localServer(): Promise<AsyncDisposable & { model: string; bodies: string[] }> {
  const bodies: string[] = [];
  const server = http.createServer(async (request, response) => {
    const pieces: Buffer[] = [];
    for await (const piece of request) pieces.push(piece);
    if (request.method !== 'POST') return void response.writeHead(404).end('{}');
    bodies.push(Buffer.concat(pieces).toString());
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    const chunk = (delta: object, finish_reason: string | null) =>
      response.write(
        `data: ${JSON.stringify({ id: 'c', object: 'chat.completion.chunk', created: 1, model: 'llama', choices: [{ index: 0, delta, finish_reason }] })}\n\n`,
      );
    chunk({ role: 'assistant', reasoning_content: 'LOCAL-THOUGHT' }, null);
    chunk({ content: 'local answer' }, null);
    chunk({}, 'stop');
    response.end('data: [DONE]\n\n');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    model: `http://127.0.0.1:${port}/v1#llama`,
    bodies,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

describe.concurrent('the model of a resumed session', () => {
  it('is the one it was held with: a local conversation does not go to another provider', async () => {
    await using project = await testProject();
    await using local = await localServer();
    await project.run(['-p', 'private words', '--model', local.model]);
    const again = await project.run(['-p', 'more', '--continue', ...json]);
    expect(again.code).toBe(0);
    expect(Object.keys(again.lines[0].modelUsage)).toEqual([local.model]);
    expect(local.bodies).toHaveLength(2);
    expect(project.server.seen).toHaveLength(0);
    expect(again.stderr).toBe('');
  });

  it('holds over the environment, which is said; --model holds over it, without what was signed', async () => {
    await using project = await testProject((_body, n) => ({ thinking: `SIGNED-${n}`, text: 'remote' }));
    await using local = await localServer();
    await project.run(['-p', 'one', '--model', local.model]);
    const env = { STOPGATE_MODEL: 'claude-sonnet-4-5' };
    const kept = await project.run(['-p', 'two', '--continue'], { env });
    expect(kept.stderr).toContain(
      `Resumed with ${local.model}, the model of this session, instead of claude-sonnet-4-5`,
    );
    const moved = await project.run(['-p', 'three', '--continue', '--model', 'claude-sonnet-4-5', ...json]);
    expect(moved.lines[0].result).toBe('remote');
    expect(project.server.seen[0]?.raw).toContain('local answer');
    expect(project.server.seen[0]?.raw).not.toContain('LOCAL-THOUGHT');
    await project.run(['-p', 'four', '--continue']);
    expect(project.server.seen[1]?.raw).toContain('SIGNED-0');
    await project.run(['-p', 'five', '--continue', '--model', 'claude-haiku-4-5']);
    expect(project.server.seen[2]?.raw).not.toContain('SIGNED-');
    await project.run(['-p', 'six', '--continue', '--model', local.model]);
    expect(local.bodies.at(-1)).toContain('remote');
    expect(local.bodies.at(-1)).not.toContain('SIGNED-');
  });

  it('that cannot be asked is a sentence, and nothing is sent elsewhere', async () => {
    await using project = await testProject();
    await project.run(['-p', 'one', '--model', 'claude-sonnet-4-5']);
    const env = { ANTHROPIC_API_KEY: '', OPENAI_API_KEY: 'k', OPENAI_BASE_URL: project.server.url };
    const { code, stderr } = await project.run(['-p', 'two', '--continue'], { env });
    expect(code).toBe(2);
    expect(stderr).toBe(
      'stopgate: The model of this session cannot be used: anthropic/claude-sonnet-4-5 needs an API key: set ANTHROPIC_API_KEY; use --model to choose another.\n',
    );
    expect(project.server.seen).toHaveLength(1);
    expect(locks(project.home)).toEqual([]);
  });

  it('of a transcript that does not name it is told by its answers, or said to be unknown', async () => {
    await using project = await testProject();
    await project.run(['-p', 'one', '--model', 'claude-sonnet-4-5']);
    const [file = ''] = project.transcripts();
    const without = (model: string) =>
      writeFileSync(
        file,
        readFileSync(file, 'utf8')
          .replace(/"(sessionModel|modelId)":"[^"]*",?/g, '')
          .replaceAll(/"model":"[^"]*"/g, `"model":"${model}"`)
          .replaceAll(',}', '}'),
      );
    without('claude-sonnet-4-5');
    const known = await project.run(['-p', 'two', '--continue', ...json]);
    expect(Object.keys(known.lines[0].modelUsage)).toEqual(['anthropic/claude-sonnet-4-5']);
    without('llama');
    const unknown = await project.run(['-p', 'three', '--continue']);
    expect(unknown.stderr).toContain("does not contain the provider of this session's model (llama); using default.");
  });
});

const locks = (home: string) =>
  readdirSync(home, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.lock'));

describe.concurrent('two runs of one session', () => {
  it('the second one is refused, and a copy is not', async () => {
    const hang = Promise.withResolvers<{ text: string }>();
    await using project = await testProject((_body, n) => (n === 1 ? hang.promise : { text: `answer ${n}` }));
    const id = (await project.run(['-p', 'one', ...json])).lines[0].session_id;
    const first = project.start(['-p', 'two', '--resume', id, ...json]);
    await expect.poll(() => project.server.seen.length, { timeout: 10_000 }).toBe(2);
    for (const args of [['--resume', id], ['--continue'], ['--resume', id.slice(0, 8)]]) {
      const second = await project.run(['-p', 'three', ...args]);
      expect(second.code).toBe(75);
      expect(second.stderr).toMatch(
        new RegExp(
          `^stopgate: Session ${id} is in use by process ${first.child.pid} on .+: wait until it has ended, or continue in a copy with --resume ${id} --fork-session\\.\\n$`,
        ),
      );
    }
    const copy = await project.run(['-p', 'four', '--resume', id, '--fork-session', ...json]);
    expect(copy.code).toBe(0);
    hang.resolve({ text: 'second answer' });
    expect((await first.ended).lines[0].result).toBe('second answer');
    const after = await project.run(['-p', 'five', '--resume', id, ...json]);
    expect(after.code).toBe(0);
    const told = project.server.seen.at(-1)?.raw;
    expect(told).toContain('second answer');
    expect(told).not.toContain('four');
    expect(locks(project.home)).toEqual([]);
  });

  it('a run that was killed leaves its session free', async () => {
    await using project = await testProject((_body, n) => (n === 0 ? { text: 'x', breakOff: 'hang' } : { text: 'ok' }));
    const first = project.start(['-p', 'one', ...json]);
    await expect.poll(() => project.server.seen.length, { timeout: 10_000 }).toBe(1);
    first.child.kill('SIGKILL');
    await first.ended;
    const again = await project.run(['-p', 'two', '--continue', ...json]);
    expect(again.code).toBe(0);
    expect(project.server.seen[1]?.raw).toContain('one');
    expect(locks(project.home)).toEqual([]);
  });

  it('a session that is not kept takes no lock', async () => {
    await using project = await testProject();
    await project.run(['-p', 'one', '--no-session-persistence']);
    expect(existsSync(path.join(project.home, '.stopgate/projects'))).toBe(false);
  });

  it('a file that two runs have written is resumed from one of them, which is said', async () => {
    await using project = await testProject((_body, n) =>
      n === 0 ? { tools: [{ name: 'Bash', input: { command: 'true' } }] } : { text: `answer ${n}` },
    );
    await project.run(['-p', 'start', '--allowedTools', 'Bash']);
    const [file = ''] = project.transcripts();
    const before = readFileSync(file, 'utf8')
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    const last = before.at(-1);
    const line = (run: string, n: number, more: object) => ({
      ...last,
      uuid: `${run}${n}`,
      parentUuid: n === 0 ? last.uuid : `${run}${n - 1}`,
      ...more,
    });
    const user = (run: string, n: number, content: unknown) =>
      line(run, n, { type: 'user', message: { role: 'user', content } });
    const answer = (run: string, n: number, content: unknown) =>
      line(run, n, {
        type: 'assistant',
        message: { id: `m${run}${n}`, role: 'assistant', model: 'm', content, stop_reason: 'end_turn', usage: {} },
      });
    const runOf = (run: string) => [
      user(run, 0, `${run} asks`),
      answer(run, 1, [{ type: 'tool_use', id: `call-${run}`, name: 'Bash', input: {} }]),
      user(run, 2, [{ type: 'tool_result', tool_use_id: `call-${run}`, tool_name: 'Bash', content: `${run} result` }]),
      answer(run, 3, [{ type: 'text', text: `${run} answer` }]),
    ];
    const [a, b] = [runOf('aa'), runOf('bb')];
    for (const [n, one] of a.entries()) appendFileSync(file, `${JSON.stringify(one)}\n${JSON.stringify(b[n])}\n`);
    const resumed = await project.run(['-p', 'and now', '--continue']);
    expect(resumed.code).toBe(0);
    expect(resumed.stderr).toMatch(
      /Two runs wrote to .+\.jsonl at the same time: this one continues from the latest answer, without 4 lines of the other\./,
    );
    const sent = project.server.seen.at(-1)?.body.messages;
    const texts = JSON.stringify(sent);
    expect(texts).toContain('bb answer');
    expect(texts).toContain('bb result');
    expect(texts).not.toContain('aa ');
    await project.run(['-p', 'once more', '--continue']);
    expect(project.server.seen.at(-1)?.raw).toContain('and now');
    expect(project.server.seen.at(-1)?.raw).not.toContain('aa asks');
  });
});

describe.concurrent('background commands that a session ends', () => {
  const start = (command: string) => ({
    tools: [{ name: 'Bash', input: { command, description: 'long watch', run_in_background: true } }],
  });

  it('are named when it is interrupted', async () => {
    await using project = await testProject((_body, n) =>
      n === 0 ? start('sleep 300') : { text: 'x', breakOff: 'hang' },
    );
    const running = project.start(['-p', 'one', '--allowedTools', 'Bash', ...json]);
    await expect.poll(() => project.server.seen.length, { timeout: 10_000 }).toBe(2);
    running.child.kill('SIGINT');
    const { code, stderr, lines } = await running.ended;
    expect(code).toBe(130);
    expect(stderr).toContain(
      'stopgate: Ended background work that was still running: "long watch" (the session was interrupted).',
    );
    expect(lines[0].ended_background_tasks).toEqual([
      { id: 'bash_1', type: 'shell', description: 'long watch', command: 'sleep 300' },
    ]);
  });

  it('are named when the wait was too long, after the limit of requests too', async () => {
    await using project = await testProject(() => start('sleep 300'));
    const args = ['-p', 'one', '--allowedTools', 'Bash', '--max-turns', '1', ...json];
    const { stderr, lines } = await project.run(args, { env: { STOPGATE_BG_WAIT_CEILING_MS: '50' } });
    expect(stderr).toContain(
      'Ended background work that was still running: "long watch" (STOPGATE_BG_WAIT_CEILING_MS sets the longest wait).',
    );
    expect(lines.at(-1)).toMatchObject({ terminal_reason: 'max_turns', ended_background_tasks: [{ id: 'bash_1' }] });
  });

  it('are named when the budget is spent', async () => {
    await using project = await testProject((_body, n) => ({
      ...start('sleep 300'),
      usage: { in: n === 0 ? 1 : 1_000_000 },
    }));
    const args = [
      '-p',
      'one',
      '--allowedTools',
      'Bash',
      '--max-budget-usd',
      '1',
      '--model',
      'claude-sonnet-4-5',
      ...json,
    ];
    const { stderr, lines } = await project.run(args);
    expect(stderr).toContain('"long watch" (the budget is spent).');
    expect(lines[0]).toMatchObject({ terminal_reason: 'budget_exhausted', ended_background_tasks: [{ id: 'bash_1' }] });
  });
});
