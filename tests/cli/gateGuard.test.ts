import { execFileSync, spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { HOSTS } from '../../src/hosts/all.ts';
import { tempFolder } from '../../src/testing/tempFolder.ts';
import { testProject } from '../support/project.ts';

const ROOT = path.join(import.meta.dirname, '../..');
const SCRIPT = path.join(ROOT, 'profiles/default/hooks/gate-guard.sh');
const HOOK = path.join(ROOT, 'dist/hook.cjs');

/** As Claude Code sends it: the path of the transcript is in `.claude` at every call. */
const call = (tool: string, input: object, cwd = '/p') =>
  `${JSON.stringify({
    ...{ session_id: 's', transcript_path: '/h/.claude/projects/stopgate/s.jsonl', cwd, permission_mode: 'default' },
    ...{ hook_event_name: 'PreToolUse', tool_name: tool, tool_input: input, tool_use_id: 't' },
  })}\n`;
const bash = (command: string) => call('Bash', { command, description: 'x' });
const LONG = 'ä'.repeat(5000);

describe('gate-guard.sh', () => {
  /** What Node reads, when it is started at all: a stand-in prints its input. */
  async function nodeReads(input: string, env: Readonly<Record<string, string>> = {}): Promise<string> {
    await using folder = await tempFolder();
    const node = path.join(folder.path, 'node');
    writeFileSync(node, '#!/bin/sh\nprintf "node "; exec cat\n');
    chmodSync(node, 0o755);
    const { stdout, status } = spawnSync(SCRIPT, [node, HOOK], {
      env: { PATH: process.env.PATH ?? '', ...env },
      input,
      encoding: 'utf8',
    });
    expect(status).toBe(0);
    return stdout;
  }

  it.each<[string, string, boolean]>([
    ['a plain command', bash('npm test'), false],
    ['a plain edit', call('Edit', { file_path: '/p/src/a.ts', old_string: 'stopgat', new_string: LONG }), false],
    ['an edit whose text names the gate', call('Write', { file_path: '/p/a', content: `${LONG}stopgate` }), false],
    ['a command that names the configuration', bash('echo {} > stopgate.config.json'), true],
    ['a command too long to look through', bash(`echo ${LONG}`), true],
    ['a wildcard', bash('rm *.json'), true],
    ['a folder of a host', bash('rm -rf .pi'), true],
    ['a file of variables', bash('echo A=1 >.env'), true],
    ['variables of a process', bash('node -p process.env.A'), false],
    ['a folder above', bash('rm -rf ..'), true],
    ['a home folder', bash('touch ~/.st*/off'), true],
    ['quotes inside of the name', bash('echo {} > "stop""gate.config.json"'), true],
    ['a working folder of a host', call('Bash', { command: 'touch off' }, '/h/.stopgate'), true],
    ['an edit of the settings', call('Edit', { file_path: '/p/.claude/settings.json' }), true],
    ['a long one', call('Write', { file_path: '/h/.stopgate/off', content: LONG }), true],
    ['one whose path comes last', call('Write', { content: LONG, file_path: '/h/.stopgate/off' }), true],
    ['one with a quote in its path', call('Write', { file_path: '/p/"/../.stopgate/off', content: LONG }), true],
    ['an event without input', '{}\n', false],
  ])('starts Node only when the call could change a gate, and gives it all of it: %s', async (_name, input, starts) => {
    expect(await nodeReads(input)).toBe(starts ? `node ${input}` : '');
  });

  const known = HOSTS.flatMap(({ name, settingsFiles = [], environmentFiles = [] }) =>
    [...settingsFiles, ...environmentFiles].map((file) => [name, file] as const),
  );
  it.each(known)('knows the settings of %s: %s', async (_name, file) => {
    const input = call('Write', { file_path: `/p/${file}x`, content: '{}' });
    expect(await nodeReads(input)).toBe(`node ${input}`);
  });

  it('knows a home of another name', async () => {
    const input = bash('rm -r /data/sg');
    expect(await nodeReads(input, { STOPGATE_HOME: '/data/sg' })).toBe(`node ${input}`);
  });

  it('lets every call run where Stopgate is gone', () => {
    const options = { input: bash('rm stopgate.config.json'), encoding: 'utf8' } as const;
    expect(spawnSync(SCRIPT, ['/nowhere/node', HOOK], options)).toMatchObject({ status: 0, stdout: '' });
    expect(spawnSync(SCRIPT, ['node', '/nowhere/hook.cjs'], options)).toMatchObject({ status: 0, stdout: '' });
  });
});

describe('stopgate hook guard', () => {
  async function guarded(input: object, { config = true, env = {} } = {}) {
    await using project = await testProject();
    execFileSync('git', ['init', '-q'], { cwd: project.dir });
    if (config) project.write('stopgate.config.json', '{"checks":[{"name":"tests","command":"false"}]}');
    mkdirSync(path.join(project.dir, '.claude'));
    for (const file of [
      '.claude/settings.json',
      '.codex/hooks.json',
      '../home/.codex/config.toml',
      '../home/.pi/agent/extensions/stopgate.js',
    ])
      project.write(file, '');
    symlinkSync('.claude', path.join(project.dir, 'linked'));
    const text = JSON.stringify(input).replaceAll('DIR', project.dir).replaceAll('HOME', project.home);
    const tool = text.includes('"command"') ? 'Bash' : 'Write';
    const { stdout, code } = await project.run(['hook', 'guard'], {
      input: call(tool, JSON.parse(text), project.dir),
      env: { CLAUDE_PROJECT_DIR: project.dir, ...env },
    });
    expect(code).toBe(0);
    return stdout;
  }

  it.each([
    [{ command: 'echo {} > stopgate.config.json' }],
    [{ command: 'rm -rf ~/.stopgate' }],
    [{ command: 'rm *.json' }],
    [{ command: 'echo {} > "stop""gate.config.json"' }],
    [{ command: 'cd .claude && echo {} > settings.local.json' }],
    [{ command: 'cp /tmp/x linked/settings.json' }],
    [{ command: 'for f in a; do rm -f .codex/hooks.json; done' }],
    [{ command: 'rm -rf .claude' }],
    [{ command: 'rm -rf .codex' }],
    [{ command: 'mv .codex x' }],
    [{ command: 'rm -rf ~/.codex' }],
    [{ command: 'rm -rf HOME/.pi' }],
    [{ command: 'git rm -rf .codex' }],
    [{ command: 'find .codex -delete' }],
    [{ command: 'd=.codex; rm -r $d' }],
    [{ command: 'cd .. && rm -rf DIR' }],
    [{ file_path: 'DIR/stopgate.config.json', content: '' }],
    [{ file_path: 'DIR/linked/settings.local.json', content: '' }],
    [{ file_path: 'HOME/.stopgate/gates/waivers/s.json', content: '' }],
    [{ file_path: 'DIR/.github/hooks/a.json', content: '' }],
  ])('denies %j', async (input) => {
    const stdout = await guarded(input);
    expect(JSON.parse(stdout || '{}').hookSpecificOutput).toMatchObject({
      permissionDecision: 'deny',
      permissionDecisionReason: expect.stringMatching(/decides when this agent may stop/),
    });
  });

  it.each([
    [{ command: 'cat stopgate.config.json .claude/settings.json' }],
    [{ command: 'stopgate task complete 7' }],
    [{ command: 'git add stopgate.config.json && git commit -m "settings"' }],
    // nothing of the gate is in it
    [{ command: 'rm -rf .gemini build' }],
    [{ command: 'ls .codex && cp -r .codex /tmp/x' }],
    // Claude Code does not load it
    [{ file_path: 'DIR/.env', content: '' }],
    [{ file_path: 'DIR/src/settings.json', content: '' }],
    [{ file_path: 'DIR/.claude/commands/x.md', content: '' }],
    [{ pattern: 'stopgate' }],
  ])('allows %j', async (input) => {
    expect(await guarded(input)).toBe('');
  });

  it('leaves an agent in a worktree of Stopgate its own files, in any folder of it', async () => {
    await using project = await testProject();
    const worktree = path.join(project.home, '.stopgate/worktrees/app-k3v9-1');
    mkdirSync(path.join(worktree, 'src'), { recursive: true });
    execFileSync('git', ['init', '-q'], { cwd: worktree });
    writeFileSync(path.join(worktree, 'stopgate.config.json'), '{"checks":[{"name":"tests","command":"false"}]}');
    const hook = async (tool: string, input: object, cwd: string, env = {}) => {
      const { stdout } = await project.run(['hook', 'guard'], { input: call(tool, input, cwd), env, cwd });
      return stdout;
    };
    const env = { CLAUDE_PROJECT_DIR: worktree };
    const src = path.join(worktree, 'src');
    expect(await hook('Write', { file_path: path.join(src, 'a.ts') }, worktree, env)).toBe('');
    expect(await hook('Bash', { command: 'echo x > src/a.ts' }, worktree, env)).toBe('');
    // other hosts report the folder to which their agent has changed
    expect(await hook('Bash', { command: 'echo x > ../b.ts' }, src)).toBe('');
    const other = path.join(worktree, '../other/a.ts');
    expect(await hook('Write', { file_path: other }, worktree, env)).toContain('deny');
    expect(await hook('Bash', { command: 'echo {} > stopgate.config.json' }, worktree, env)).toContain('deny');
  });

  it('allows everything where no gate stands, or a person switched it off', async () => {
    const input = { command: 'echo {} > .claude/settings.json' };
    expect(await guarded(input, { config: false })).toBe('');
    expect(await guarded(input, { env: { STOPGATE_OFF: '1' } })).toBe('');
  });
});
