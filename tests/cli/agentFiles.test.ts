import { existsSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { type TestProject, testProject } from '../support/project.ts';

const AGENT = `---
name: checker
description: Use when: something must be checked
tools: Bash, Read
hooks:
  PreToolUse:
    - matcher: Bash
      hooks:
        - type: command
          command: touch asked
  Stop:
    - hooks:
        - type: command
          command: touch "stopped-$(sed 's/.*hook_event_name":"\\([A-Za-z]*\\).*/\\1/')"
  Stpo:
    - hooks: []
---
You check.`;

const start = { name: 'Agent', input: { description: 'sub', prompt: 'SUBTASK', subagent_type: 'checker' } };
const bash = { name: 'Bash', input: { command: 'echo hi', description: 'x' } };

/** The main agent runs a command and starts the checker, which runs a command as well. */
const checking = () =>
  testProject((body) => {
    const all = JSON.stringify(body.messages);
    const isSub = JSON.stringify(body.messages[0]).includes('SUBTASK');
    if (all.includes('tool_result')) return { text: 'done' };
    return { text: 'a', tools: isSub ? [bash] : [bash, start] };
  });

const made = ({ dir }: TestProject) =>
  ['asked', 'stopped-SubagentStop', 'stopped-Stop'].filter((name) => existsSync(path.join(dir, name)));

describe.concurrent("hooks in an agent's file", () => {
  it('run while that agent does, in a trusted folder; elsewhere they are named', async () => {
    await using project = await checking();
    project.write('.claude/agents/checker.md', AGENT);
    const untrusted = await project.run(['-p', 'x', '--allowedTools', 'Bash']);
    expect(made(project)).toEqual([]);
    expect(untrusted.stderr).toMatch(
      /Hook not run: PreToolUse touch asked \(.*checker\.md\): this project is not trusted/,
    );
    expect(untrusted.stderr).toMatch(/checker\.md:16: hooks\.Stpo: "Stpo" is not an event; did you mean "Stop"\?/);
    const trusted = await project.run(['-p', 'x', '--trust-project', '--allowedTools', 'Bash']);
    expect(trusted.stderr).not.toContain('Hook not run');
    expect(made(project)).toEqual(['asked', 'stopped-SubagentStop']);
  });

  it('are listed, and shown before a folder is trusted', async () => {
    await using project = await checking();
    project.write('.claude/agents/checker.md', AGENT);
    const { stdout } = await project.run(['hooks', 'list', '--json', '--trust-project']);
    const listed = JSON.parse(stdout).hooks.filter(({ agent }: { agent?: string }) => agent === 'checker');
    expect(listed.map(({ event, state, line }: Record<string, unknown>) => [event, state, line])).toEqual([
      ['PreToolUse', 'runs', 9],
      ['Stop', 'runs', 13],
      ['SubagentStop', 'runs', 13],
    ]);
    expect((await project.run(['hooks', 'list', '--trust-project'])).stdout).toContain('agent "checker"');
    expect((await project.run(['trust', '--yes'])).stdout).toContain('│ touch asked');
  });

  it('names a file that cannot be read, with its line', async () => {
    await using project = await testProject(() => ({ text: 'ok' }));
    project.write('.claude/agents/broken.md', '---\nname: broken\nhooks:\n  Stop: [\n---\nx');
    project.write('.claude/commands/odd.md', '---\nmodel:\n  - [\n---\nSay hello.');
    const { stderr, stdout } = await project.run(['-p', '/odd']);
    expect(stdout).toContain('ok');
    expect(stderr).toMatch(
      /agents\/broken\.md:\d+: The front matter is not valid YAML: .*; this agent is left out\.\n/,
    );
    expect(stderr).toMatch(
      /commands\/odd\.md:\d+: The front matter is not valid YAML: .*; the command runs without it\.\n/,
    );
  });
});

describe.concurrent('--agent', () => {
  const looker = '---\nname: looker\ndescription: d\ntools: Read, Agent\nmodel: claude-haiku-4-5\n---\nYou look.';
  const asked = async (project: TestProject, ...args: string[]) => {
    project.write('.claude/agents/looker.md', looker);
    const end = await project.run(['-p', 'x', ...args]);
    const body = project.server.seen.at(-1)?.body;
    const tools = (body?.tools ?? []) as { name: string }[];
    return { ...end, model: body?.model, system: JSON.stringify(body?.system), tools: tools.map(({ name }) => name) };
  };

  it('makes the session that kind of agent: prompt, tools and model', async () => {
    await using project = await testProject(() => ({ text: 'ok' }));
    const { code, model, system, tools } = await asked(project, '--agent', 'looker');
    expect({ code, model, tools }).toEqual({ code: 0, model: 'claude-haiku-4-5', tools: ['Read', 'Agent'] });
    expect(system).toContain('You look.');
    expect(system).toContain(project.dir);
    expect(system).not.toContain('You are Stopgate');
    const other = await asked(project, '--agent', 'looker', '--model', 'claude-opus-4-1', '--disallowedTools', 'Read');
    expect([other.model, other.tools]).toEqual(['claude-opus-4-1', ['Agent']]);
  });

  it("is also a setting, but not an untrusted project's", async () => {
    await using project = await testProject(() => ({ text: 'ok' }));
    project.write('.claude/settings.json', '{"agent":"looker"}');
    expect((await asked(project)).system).toContain('You are Stopgate');
    expect((await asked(project, '--trust-project')).system).toContain('You look.');
  });

  it('that does not exist ends the run and names those that do', async () => {
    await using project = await testProject(() => ({ text: 'ok' }));
    const { code, stderr } = await asked(project, '--agent', 'nosuch');
    expect(code).toBe(1);
    expect(stderr).toMatch(/'nosuch' not found\. Available agents: .*looker/);
    expect(project.server.seen).toEqual([]);
  });
});
