import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { BIN, type TestProject, testProject } from '../support/project.ts';

const stop = (project: TestProject, more: object = {}) =>
  JSON.stringify({ session_id: 's', prompt_id: 'p', cwd: project.dir, hook_event_name: 'Stop', ...more });
const ask = (project: TestProject, event: string, input: string, env: Record<string, string> = {}) =>
  project.run(['hook', event], { input, env });
const log = (project: TestProject) => readFileSync(path.join(project.home, '.stopgate/logs/hooks.jsonl'), 'utf8');
const trusted = { STOPGATE_TRUST_PROJECT: '1' };
const inSeconds = (seconds: number) => ({ STOPGATE_BUDGET_END: String(Math.floor(Date.now() / 1000) + seconds) });

async function withChecks(command: string): Promise<TestProject> {
  const project = await testProject();
  project.write('stopgate.config.json', JSON.stringify({ checks: [{ name: 'test', command, when: 'always' }] }));
  mkdirSync(path.join(project.dir, '.git'));
  return project;
}

describe('stopgate hook stop', () => {
  it('says nothing where there is nothing to check', async () => {
    await using project = await testProject();
    expect(await ask(project, 'stop', stop(project))).toMatchObject({ code: 0, stdout: '', stderr: '' });
  });

  it('blocks in the portable form, with no key that another host refuses', async () => {
    await using project = await withChecks('echo boom; exit 3');
    const codex = await ask(project, 'stop', stop(project, { turn_id: 't', model: 'm' }), trusted);
    expect(Object.keys(codex.lines[0])).toEqual(['decision', 'reason']);
    expect(codex).toMatchObject({ code: 0, stderr: '' });
    expect(codex.lines[0].reason).toContain('test (`echo boom; exit 3`) exited 3');
  });

  it('runs no check of a folder that is not trusted, and says so', async () => {
    await using project = await withChecks('touch ran; exit 1');
    const { code, lines, stderr } = await ask(project, 'stop', stop(project));
    expect([code, lines.length]).toEqual([0, 1]);
    expect(lines[0].systemMessage).toMatch(
      /checks of .*stopgate\.config\.json were not run: the folder is not trusted/,
    );
    expect(stderr).toContain('not trusted');
    expect(() => project.read('ran')).toThrow();
  });

  it.each([
    ['background tasks run', { background_tasks: [{ id: '1', status: 'running' }] }, {}],
    ['a rate limit ended the turn', { stop_reason: 'rate_limit' }, {}],
    ['the person interrupted', { status: 'aborted' }, {}],
    ['Stopgate is switched off', {}, { STOPGATE_OFF: '1' }],
    ['a check started the agent', {}, { STOPGATE_INSIDE_CHECK: '1' }],
    ['the time budget is over', {}, { STOPGATE_BUDGET_END: '1000' }],
    ['no session is named', { session_id: undefined }, {}],
  ])('never blocks when %s', async (_why, payload, env) => {
    await using project = await withChecks('touch ran; exit 1');
    expect(await ask(project, 'stop', stop(project, payload), { ...trusted, ...env })).toMatchObject({
      code: 0,
      stdout: '',
    });
    expect(() => project.read('ran')).toThrow();
  });

  it('names a broken configuration instead of blocking or keeping still', async () => {
    await using project = await withChecks('true');
    project.write('stopgate.config.json', '{"checks": [');
    const { code, lines } = await ask(project, 'stop', stop(project), trusted);
    expect(code).toBe(0);
    expect(lines[0].systemMessage).toMatch(/stopgate\.config\.json:1:13: .*; no check was run\./);
  });

  it('leaves provider keys out of what checks see', async () => {
    await using project = await withChecks('env; exit 1');
    const { stdout } = await ask(project, 'stop', stop(project), { ...trusted, ANTHROPIC_API_KEY: 'sk-secret' });
    expect(stdout).not.toContain('sk-secret');
    expect(log(project)).not.toContain('STOPGATE_INSIDE_CHECK');
  });

  it.each([
    ['nothing', ''],
    ['garbage', 'not json'],
    ['a list', '[1,2]'],
    ['half of it', '{"session_id":"s"'],
  ])('survives %s on its standard input', async (_what, input) => {
    await using project = await withChecks('exit 1');
    expect(await ask(project, 'stop', input, trusted)).toMatchObject({ code: 0, stdout: '' });
  });

  it('does not wait for a host that leaves the pipe open', async () => {
    await using project = await withChecks('exit 1');
    const child = spawn(process.execPath, [BIN, 'hook', 'stop'], {
      cwd: project.dir,
      env: { PATH: process.env.PATH, HOME: project.home, ...trusted },
    });
    child.stdin.write(stop(project));
    const [chunk] = await once(child.stdout, 'data');
    expect(String(chunk)).toContain('"decision":"block"');
    await once(child, 'exit');
  });

  it('gives up on a host that sends nothing, so that the stop goes through', async () => {
    await using project = await withChecks('exit 1');
    const child = spawn(process.execPath, [BIN, 'hook', 'stop'], {
      cwd: project.dir,
      env: { PATH: process.env.PATH, HOME: project.home, ...trusted },
    });
    const [code, signal] = await once(child, 'exit');
    expect([code, signal]).toEqual([null, 'SIGKILL']);
    expect(log(project)).toContain('the host sent no event');
  });

  it('names an unknown event and fails: in settings it would be a gate that is always open', async () => {
    await using project = await testProject();
    const { code, stdout, stderr } = await ask(project, 'stpo', '{}');
    expect([code, stdout]).toEqual([1, '']);
    expect(stderr).toContain('unknown hook event "stpo"; use one of');
  });

  it('remembers the files at the session’s start', async () => {
    await using project = await testProject();
    project.write('stopgate.config.json', JSON.stringify({ checks: [{ name: 'test', command: 'exit 1' }] }));
    const start = JSON.stringify({
      session_id: 's',
      prompt_id: 'p',
      cwd: project.dir,
      hook_event_name: 'SessionStart',
    });
    await ask(project, 'session-start', start, trusted);
    expect(await ask(project, 'stop', stop(project), trusted)).toMatchObject({ code: 0, stdout: '' });
    writeFileSync(path.join(project.dir, 'new.txt'), 'x');
    expect((await ask(project, 'stop', stop(project), trusted)).lines[0]).toMatchObject({ decision: 'block' });
    // another session in the same folder has its own beginning
    expect((await ask(project, 'stop', stop(project, { session_id: 'other' }), trusted)).lines[0]).toMatchObject({
      decision: 'block',
    });
  });
});

describe('stopgate hook at tool calls', () => {
  const call = (timeout: number) =>
    JSON.stringify({
      session_id: 's',
      prompt_id: 'p',
      hook_event_name: 'PreToolUse',
      tool_name: 'Bash',
      tool_input: { command: 'make', timeout },
    });

  it('refuses what the clock has no time for', async () => {
    await using project = await testProject();
    const { lines } = await ask(project, 'pre-tool-use', call(600_000), inSeconds(300));
    expect(lines[0].hookSpecificOutput).toMatchObject({
      permissionDecision: 'deny',
      permissionDecisionReason: expect.stringContaining('This may take 10m'),
    });
    expect((await ask(project, 'pre-tool-use', call(60_000), inSeconds(300))).stdout).toBe('');
  });

  it('says nothing without a clock, whatever it is sent', async () => {
    await using project = await testProject();
    expect(await ask(project, 'pre-tool-use', 'garbage')).toMatchObject({ code: 0, stdout: '' });
    expect(await ask(project, 'pre-tool-use', 'garbage', { STOPGATE_BUDGET_END: 'soon' })).toMatchObject({
      stdout: '',
    });
    expect(await ask(project, 'pre-tool-use', 'garbage', inSeconds(60))).toMatchObject({ code: 0, stdout: '' });
  });

  it('counts down in the words of the host', async () => {
    await using project = await testProject();
    const payload = { session_id: 's', hook_event_name: 'PostToolUse', timestamp: 't', stop_reason: 'x' };
    const copilot = await ask(project, 'post-tool-use', JSON.stringify(payload), inSeconds(1000));
    expect(copilot.lines[0]).toEqual({ additionalContext: expect.stringMatching(/^BUDGET: 16m\d\ds remaining$/) });
  });
});
