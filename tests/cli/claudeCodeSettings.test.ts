import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { type TestProject, testProject } from '../support/project.ts';

function userSettings(project: TestProject, settings: object): void {
  const folder = path.join(project.home, '.claude');
  mkdirSync(folder, { recursive: true });
  writeFileSync(path.join(folder, 'settings.json'), JSON.stringify(settings));
}

/** A script that counts its runs and prints a key with their number. */
function helper(project: TestProject): string {
  const file = project.write(
    '../helper.sh',
    '#!/bin/sh\necho run >> "$0.runs"\necho "key-$(wc -l < "$0.runs" | tr -d " ")"\n',
  );
  chmodSync(file, 0o755);
  return file;
}

const NO_KEY = { ANTHROPIC_API_KEY: '' };

describe.concurrent('what is without effect', () => {
  it('is named in one line, all names together', async () => {
    await using project = await testProject(() => ({ text: 'ok' }));
    userSettings(project, { outputStyle: 'Explanatory', statusLine: { type: 'command', command: 'x' }, theme: 'dark' });
    project.write(
      '.claude/settings.json',
      JSON.stringify({ forceLoginMethod: 'console', $schema: 'x', unknownKey: 1 }),
    );
    project.write('.claude/skills/look/SKILL.md', 'Look.');
    const env = { CLAUDE_CODE_USE_BEDROCK: '1', MAX_THINKING_TOKENS: '1000' };
    const { code, stderr, stdout } = await project.run(['-p', 'x'], { env });
    expect({ code, stdout }).toEqual({ code: 0, stdout: 'ok\n' });
    expect(stderr.split('\n').filter((line) => line.includes('No effect here'))).toEqual([
      'stopgate: No effect here, unlike in Claude Code: settings forceLoginMethod, outputStyle; variables CLAUDE_CODE_USE_BEDROCK, MAX_THINKING_TOKENS; skills (only as /NAME in a prompt; the agent does not choose them) (see docs/claude-code-settings.md).',
    ]);
    expect(stderr).not.toMatch(/theme|statusLine|unknownKey|schema/);
  });

  it('is not mentioned when there is nothing', async () => {
    await using project = await testProject(() => ({ text: 'ok' }));
    userSettings(project, { model: 'claude-sonnet-4-5', includeCoAuthoredBy: false, theme: 'dark' });
    const { stderr } = await project.run(['-p', 'x']);
    expect(stderr).toBe('');
  });
});

describe.concurrent('apiKeyHelper', () => {
  it('gives the key, once for several requests', async () => {
    const bash = { name: 'Bash', input: { command: 'true', description: 'x' } };
    await using project = await testProject((_, n) => (n === 0 ? { tools: [bash] } : { text: 'ok' }));
    userSettings(project, { apiKeyHelper: helper(project) });
    const { code } = await project.run(['-p', 'x', '--allowedTools', 'Bash'], { env: NO_KEY });
    expect(code).toBe(0);
    const keys = project.server.seen.map(({ headers }) => [headers['x-api-key'], headers.authorization]);
    expect(keys).toEqual([
      ['key-1', 'Bearer key-1'],
      ['key-1', 'Bearer key-1'],
    ]);
  });

  it('is asked again when its key is refused', async () => {
    await using project = await testProject((_, __, headers) =>
      headers['x-api-key'] === 'key-1' ? { error: { status: 401, message: 'expired' } } : { text: 'ok' },
    );
    userSettings(project, { apiKeyHelper: helper(project) });
    const { stdout } = await project.run(['-p', 'x'], { env: NO_KEY });
    expect(stdout).toBe('ok\n');
    expect(project.server.seen).toHaveLength(2);
  });

  it('is asked again after CLAUDE_CODE_API_KEY_HELPER_TTL_MS', async () => {
    const bash = { name: 'Bash', input: { command: 'sleep 0.05', description: 'x' } };
    await using project = await testProject((_, n) => (n === 0 ? { tools: [bash] } : { text: 'ok' }));
    userSettings(project, { apiKeyHelper: helper(project) });
    const env = { ...NO_KEY, CLAUDE_CODE_API_KEY_HELPER_TTL_MS: '1' };
    await project.run(['-p', 'x', '--allowedTools', 'Bash'], { env });
    expect(project.server.seen.map(({ headers }) => headers['x-api-key'])).toEqual(['key-1', 'key-2']);
  });

  it('yields to a key in the environment', async () => {
    await using project = await testProject(() => ({ text: 'ok' }));
    userSettings(project, { apiKeyHelper: 'false' });
    await project.run(['-p', 'x']);
    expect(project.server.seen[0]?.headers['x-api-key']).toBe('dummy');
  });

  it.each([
    ['echo no access >&2; exit 3', /printed no key \(exit code 3: no access\); run its command by hand\.$/],
    ['true', /printed no key \(it printed nothing\)/],
  ])('that fails (%s) is named with its reason', async (apiKeyHelper, sentence) => {
    await using project = await testProject();
    userSettings(project, { apiKeyHelper });
    const { code, stderr } = await project.run(['-p', 'x'], { env: NO_KEY });
    expect(code).toBe(1);
    expect(stderr.trimEnd()).toMatch(sentence);
    expect(project.server.seen).toEqual([]);
  });

  it('of an untrusted project is not run', async () => {
    await using project = await testProject();
    project.write('.claude/settings.json', JSON.stringify({ apiKeyHelper: `touch ${project.dir}/ran; echo k` }));
    const { code, stderr } = await project.run(['-p', 'x'], { env: NO_KEY });
    expect(code).toBe(2);
    expect(stderr).toMatch(/needs an API key: set ANTHROPIC_API_KEY/);
    expect(() => project.read('ran')).toThrow();
  });
});

describe.concurrent('settings that reach the model', () => {
  it.each([
    [{ effortLevel: 'low' }, {}, 'low'],
    [{ effortLevel: 'low' }, { CLAUDE_CODE_EFFORT_LEVEL: 'high' }, 'high'],
    [{}, { CLAUDE_CODE_EFFORT_LEVEL: 'auto' }, undefined],
    [{}, {}, undefined],
  ])('effort of %j and %j is %s', async (settings, env, effort) => {
    await using project = await testProject(() => ({ text: 'ok' }));
    userSettings(project, settings);
    await project.run(['-p', 'x'], { env });
    expect(project.server.seen[0]?.body.output_config?.effort).toBe(effort);
  });

  it('an effort that the model does not accept is left out and reported', async () => {
    await using project = await testProject((body) =>
      body.output_config?.effort
        ? { error: { status: 400, message: 'This model does not support the effort parameter.' } }
        : { text: 'ok' },
    );
    userSettings(project, { effortLevel: 'high' });
    const { stdout, stderr } = await project.run(['-p', 'x']);
    expect(stdout).toBe('ok\n');
    expect(stderr).toMatch(/does not accept the field effort \(left out\)\.\n$/);
  });

  it('env holds for subagents with a model of their own, too', async () => {
    const call = { name: 'Agent', input: { description: 'a', prompt: 'SUBTASK', model: 'claude-haiku-4-5' } };
    await using project = await testProject((body) => {
      if (JSON.stringify(body.messages[0]).includes('SUBTASK')) return { text: 'sub' };
      return body.messages.length < 3 ? { tools: [call] } : { text: 'end' };
    });
    userSettings(project, { env: { ANTHROPIC_API_KEY: 'from-settings', ANTHROPIC_BASE_URL: project.server.url } });
    await project.run(['-p', 'x'], { env: { ...NO_KEY, ANTHROPIC_BASE_URL: 'http://127.0.0.1:1' } });
    expect(project.server.seen.map(({ headers }) => headers['x-api-key'])).toEqual(Array(3).fill('from-settings'));
  });
});

describe.concurrent('.claude/rules', () => {
  it('are instructions; one with paths comes with the first file that it is for', async () => {
    const read = (file: string) => ({ tools: [{ name: 'Read', input: { file_path: file } }] });
    await using project = await testProject(
      (_, n) => [read('docs/a.md'), read('src/b.ts'), read('src/c.ts')][n] ?? { text: 'ok' },
    );
    project.write('.claude/rules/always.md', 'ALWAYS rule');
    project.write('.claude/rules/code.md', '---\npaths:\n  - "src/**/*.ts"\n---\nCODE rule');
    mkdirSync(path.join(project.home, '.claude/rules'), { recursive: true });
    writeFileSync(path.join(project.home, '.claude/rules/mine.md'), 'PERSONAL rule');
    for (const file of ['docs/a.md', 'src/b.ts', 'src/c.ts']) project.write(file, 'text');
    const { stderr } = await project.run(['-p', 'x']);
    expect(stderr).toBe('');
    const sent = project.server.seen.map(({ body }) => JSON.stringify(body.messages));
    expect(sent[0]).toContain('ALWAYS rule');
    expect(sent[0]).toContain('PERSONAL rule');
    expect(sent.map((text) => text.split('CODE rule').length - 1)).toEqual([0, 0, 1, 1]);
  });
});
