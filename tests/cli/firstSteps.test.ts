import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { testProject } from '../support/project.ts';

describe.concurrent('what a new user meets', () => {
  it('takes a prompt from a pipe without -p', async () => {
    await using project = await testProject(() => ({ text: 'Hello.' }));
    expect(await project.run([], { input: 'hi\n' })).toMatchObject({ code: 0, stdout: 'Hello.\n', stderr: '' });
    expect(JSON.stringify(project.server.seen[0]?.body.messages)).toContain('hi');
    const empty = await project.run([], { input: '' });
    expect([empty.code, empty.stderr]).toEqual([2, 'stopgate: No prompt: use stopgate -p "PROMPT", or pipe it in.\n']);
    expect((await project.run([])).stderr).toContain('use stopgate -p "PROMPT", or pipe the prompt in');
  });

  it.each(['Stop', 'PreToolUse', 'UserPromptSubmit'])(
    'shows a failing %s hook in every output format',
    async (event) => {
      await using project = await testProject((body) =>
        JSON.stringify(body.messages).includes('tool_result')
          ? { text: 'Done.' }
          : { tools: [{ name: 'Bash', input: { command: 'true' } }] },
      );
      const settings = JSON.stringify({
        hooks: { [event]: [{ hooks: [{ type: 'command', command: 'echo boom >&2; exit 3' }] }] },
      });
      for (const format of ['text', 'json']) {
        const { stderr, code } = await project.run([
          '-p',
          'x',
          '--allowedTools',
          'Bash',
          '--output-format',
          format,
          '--settings',
          settings,
        ]);
        expect([format, code, stderr]).toEqual([format, 0, expect.stringMatching(/gave no verdict.*boom/)]);
      }
    },
  );

  it('blocks with onError where a hook prints half an answer', async () => {
    await using project = await testProject(() => ({ text: 'Done.' }));
    const hook = { type: 'command', command: "echo '{bad'", onError: 'block' };
    const settings = JSON.stringify({ hooks: { Stop: [{ hooks: [hook] }] } });
    const { stderr } = await project.run(['-p', 'x', '--settings', settings]);
    expect(stderr).toContain('it printed JSON that cannot be parsed');
  });

  it.each([
    ['launch', ['launch', '--time-budget', '1m', '--grce', '1s', '--', 'x'], '--grace'],
    [
      'launch: an option of the agent',
      ['launch', '--time-budget', '1m', '--permission-mod', 'plan', '--', 'x'],
      undefined,
    ],
    ['task list', ['task', 'list', '--queu', 'x'], '--queue'],
    ['task list: an option of -p', ['task', 'list', '--max-turn', '3'], undefined],
    ['task list: an option of all', ['task', 'list', '--stor', 'x'], '--store'],
    ['-p', ['-p', 'x', '--max-turn', '3'], '--max-turns'],
  ])('suggests only options that exist there: %s', async (_where, words, meant) => {
    await using project = await testProject();
    const { code, stderr } = await project.run(words);
    expect(code).toBe(2);
    expect(stderr).toMatch(/^stopgate: unknown option '/);
    expect(/Did you mean (\S+)\?/.exec(stderr)?.[1]).toBe(meant);
  });

  it('prints commands that can be pasted where a path has spaces', async () => {
    await using project = await testProject(() => ({ text: 'Done.' }));
    const cwd = path.join(project.dir, "it's a project");
    mkdirSync(cwd);
    project.write("it's a project/stopgate.config.json", '{"checks":[{"name":"test","command":"true"}]}');
    const { stderr } = await project.run(['-p', 'x'], { cwd });
    expect(stderr).toContain("run `stopgate trust '");
    expect(stderr).toContain("/project/it'\\''s a project'`");
  });
});
