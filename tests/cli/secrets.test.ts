import { execFileSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, statSync } from 'node:fs';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { until } from '../support/fleetProject.ts';
import { type TestProject, testProject } from '../support/project.ts';

/** A value that is nowhere else on this machine, in variables that hold secrets by their name or by what they hold. */
function plant(project: TestProject) {
  const word = `pl4nted${randomUUID().replaceAll('-', '')}`;
  const names =
    'OPENAI_API_KEY GITHUB_TOKEN GH_PAT NPM_TOKEN HF_TOKEN AWS_SECRET_ACCESS_KEY DB_PASSWORD PGPASSWORD MY_SECRET GOOGLE_APPLICATION_CREDENTIALS NPM_CONFIG__AUTH'.split(
      ' ',
    );
  const env: Record<string, string> = {
    ...Object.fromEntries(names.map((name) => [name, word])),
    ANTHROPIC_API_KEY: word,
    DATABASE_URL: `postgres://me:${word}@127.0.0.1:9/db`,
    PLAIN: 'visible',
  };
  return { word, env, recorded: recordPrograms(project, env) };
}

/** Programs that Stopgate starts itself, each of which keeps its environment before it does its work. */
function recordPrograms(project: TestProject, env: Record<string, string>): string {
  const folder = path.join(project.dir, '../programs');
  const recorded = path.join(project.dir, '../recorded');
  for (const name of ['git', 'perl', 'bash', 'rg', 'ps', 'stty']) {
    const real = (process.env.PATH ?? '').split(':').map((place) => path.join(place, name));
    const found = real.find((file) => existsSync(file));
    if (found === undefined) continue;
    const script = `#!/bin/sh\n/usr/bin/env >> "${recorded}/${name}"\nexec "${found}" "$@"\n`;
    chmodSync(project.write(`../programs/${name}`, script), 0o755);
  }
  mkdirSync(recorded);
  env.PATH = `${folder}:${process.env.PATH}`;
  return recorded;
}

/** Every file that Stopgate, its children or the model's commands left that has the word in it. */
function filesWith(word: string, project: TestProject): readonly string[] {
  const root = path.dirname(project.dir);
  return readdirSync(root, { recursive: true, encoding: 'utf8' })
    .filter((name) => statSync(path.join(root, name), { throwIfNoEntry: false })?.isFile())
    .filter((name) => readFileSync(path.join(root, name)).includes(word));
}

const bash = (command: string) => ({ name: 'Bash', input: { command } });
const on = (event: string, ...hooks: object[]) => ({ [event]: [{ hooks }] });
/** Which processes show the word in the environment they were started with; the command itself does not have the whole word. */
const scan = (word: string) =>
  `grep -la "${word.slice(0, 12)}""${word.slice(12)}" /proc/[0-9]*/environ 2>/dev/null; echo scanned`;
const environOf = (pid: number | undefined) => readFileSync(`/proc/${pid}/environ`, 'latin1');

function repository(project: TestProject): void {
  const git = (...args: string[]) => execFileSync('git', args, { cwd: project.dir, stdio: 'pipe' });
  git('init', '-q', '-b', 'main');
  git('-c', 'user.name=a', '-c', 'user.email=a@b', 'commit', '-q', '--allow-empty', '-m', 'first');
}

describe.runIf(process.platform === 'linux')('secrets of the environment', () => {
  it('reach no command, check, hook, MCP server or helper of a session, and no process shows them', async () => {
    let word = '';
    await using project = await testProject((_body, n) => {
      if (n === 0) return { tools: [bash('env'), bash(scan(word)), { name: 'Grep', input: { pattern: 'x' } }] };
      return { text: 'done' };
    });
    const planted = plant(project);
    ({ word } = planted);
    repository(project);
    project.write('stopgate.config.json', '{"checks":[{"name":"c","command":"env > check.env","when":"always"}]}');
    const server = path.join(import.meta.dirname, '../support/mcpServer.mjs');
    const hooks = {
      ...on('PreToolUse', { type: 'command', command: `env > hook.env; (${scan(word)}) > scan.txt` }),
      ...on('Stop', { type: 'mcp_tool', server: 'judge', tool: 'judge', input: { text: 'done' } }),
    };
    const started = `env > mcp.env; exec ${process.execPath} ${server}`;
    const settings = JSON.stringify({ hooks, mcpServers: { judge: { command: 'sh', args: ['-c', started] } } });
    const options = ['--settings', settings, '--permission-mode', 'bypassPermissions', '--trust-project', '--debug'];
    const { code, stdout, stderr } = await project.run(
      ['-p', 'hello', '--output-format', 'stream-json', '--verbose', '--include-hook-events', ...options],
      { env: planted.env },
    );
    expect(code, stderr).toBe(0);
    expect(project.server.seen[0]?.headers['x-api-key']).toBe(word);
    const told = JSON.stringify(project.server.seen.map(({ body }) => body));
    expect(told).toContain('PLAIN=visible');
    expect(told).toContain('scanned');
    expect(project.read('scan.txt')).toBe('scanned\n');
    for (const file of ['hook.env', 'check.env', 'mcp.env']) expect(project.read(file)).toContain('PLAIN=visible');
    expect(readdirSync(planted.recorded)).toEqual(expect.arrayContaining(['git', 'perl']));
    expect([told, stdout, stderr].filter((text) => text.includes(word))).toEqual([]);
    expect(filesWith(word, project)).toEqual([]);
  });

  it.each([
    ['in the environment', { STOPGATE_PASS_ENV: 'GITHUB_TOKEN, NPM_*' }, {}, true],
    ["in the person's settings", {}, { home: { STOPGATE_PASS_ENV: 'GITHUB_TOKEN,NPM_*' } }, true],
    ['in settings of a project that is not trusted', {}, { project: { STOPGATE_PASS_ENV: '*' } }, false],
  ])('reach commands and hooks by STOPGATE_PASS_ENV %s', async (_where, env, files, passed) => {
    await using project = await testProject((_body, n) => (n === 0 ? { tools: [bash('env')] } : { text: 'ok' }));
    const planted = plant(project);
    const { home, project: own } = files as { home?: object; project?: object };
    if (home) project.write('../home/.claude/settings.json', JSON.stringify({ env: home }));
    if (own) project.write('.claude/settings.json', JSON.stringify({ env: own }));
    const settings = JSON.stringify({ hooks: on('Stop', { type: 'command', command: 'env > hook.env' }) });
    await project.run(['-p', 'x', '--allowedTools', 'Bash', '--settings', settings], {
      env: { ...planted.env, ...env },
    });
    const told = JSON.stringify(project.server.seen[1]?.body.messages);
    for (const text of [told, project.read('hook.env')]) {
      const names = ['GITHUB_TOKEN', 'NPM_TOKEN', 'HF_TOKEN'].filter((name) =>
        text.includes(`${name}=${planted.word}`),
      );
      expect(names).toEqual(passed ? ['GITHUB_TOKEN', 'NPM_TOKEN'] : []);
    }
  });

  it('reach a hook that lists them, and one that uses them without listing them is named', async () => {
    await using project = await testProject(() => ({ text: 'ok' }));
    const { word, env } = plant(project);
    const command = 'echo "[$GITHUB_TOKEN]" >> used';
    const hooks = on(
      'Stop',
      { type: 'command', command },
      { type: 'command', command: `${command} # listed`, allowedEnvVars: ['GITHUB_TOKEN'] },
    );
    const { stderr } = await project.run(['-p', 'x', '--settings', JSON.stringify({ hooks })], { env });
    expect(project.read('used').trim().split('\n').toSorted()).toEqual(['[]', `[${word}]`]);
    expect(stderr).toContain('hooks.Stop[0].hooks[0] uses GITHUB_TOKEN, which hooks do not get;');
    expect(stderr).not.toContain('hooks.Stop[0].hooks[1]');
  });

  it('reach an MCP server whose own env names them', async () => {
    await using project = await testProject(() => ({ text: 'ok' }));
    const { word, env } = plant(project);
    const server = path.join(import.meta.dirname, '../support/mcpServer.mjs');
    const args = ['-c', `env > mcp.env; exec ${process.execPath} ${server}`];
    // biome-ignore lint/suspicious/noTemplateCurlyInString: as `.mcp.json` has it
    const judge = { command: 'sh', args, env: { MY_TOKEN: 'x-${GITHUB_TOKEN}' } };
    const hooks = on('Stop', { type: 'mcp_tool', server: 'judge', tool: 'judge', input: { text: 'done' } });
    await project.run(['-p', 'x', '--settings', JSON.stringify({ hooks, mcpServers: { judge } })], { env });
    const lines = project
      .read('mcp.env')
      .split('\n')
      .filter((line) => line.includes(word));
    expect(lines).toEqual([`MY_TOKEN=x-${word}`]);
  });

  it('are explained to the model when its command uses one', async () => {
    await using project = await testProject((_body, n) =>
      n === 0 ? { tools: [bash('echo "[$NPM_TOKEN]"')] } : { text: 'ok' },
    );
    await project.run(['-p', 'x', '--allowedTools', 'Bash'], { env: plant(project).env });
    const told = JSON.stringify(project.server.seen[1]?.body.messages);
    expect(told).toContain('[]');
    expect(told).toContain('Commands do not receive NPM_TOKEN: secrets are withheld.');
  });

  it('are not shown by a launch, which passes them to its agent, nor written into its records', async () => {
    await using project = await testProject();
    const { word, env, recorded } = plant(project);
    repository(project);
    const agent = `sh -c 'echo got \${#GITHUB_TOKEN}; touch ready; while ! test -e go; do sleep 0.05; done; exit 3' sh`;
    const running = project.start(['launch', '--time-budget', '20m', '--json', '--agent', agent, '--', 'x'], { env });
    await running.sees(`got ${word.length}`);
    expect(environOf(running.child.pid)).not.toContain(word);
    expect(environOf(running.child.pid)).toContain('PLAIN=visible');
    expect(filesWith(word, project)).toEqual([]);
    project.write('go', '');
    const { stdout, stderr } = await running.ended;
    expect(`${stdout}${stderr}`).not.toContain(word);
    expect(readFileSync(path.join(recorded, 'git'), 'utf8')).not.toContain(word);
    expect(filesWith(word, project)).toEqual([]);
  });

  it('are not shown by a worker, nor stored with what its agent printed; the agent gets those of its model', async () => {
    await using project = await testProject();
    const { word, env } = plant(project);
    const [id = ''] = (await project.run(['task', 'add', 'one'], { env })).stdout.trim().split('\n');
    const agent = `sh -c 'env > agent.env; echo "I had $ANTHROPIC_API_KEY"; touch ready; while ! test -e go; do sleep 0.05; done; exit 3' sh`;
    const running = project.start(['worker', 'run', '--slot', 'w', '--idle-timeout', '1s', '--agent', agent], { env });
    await project.sees('ready');
    expect(environOf(running.child.pid)).not.toContain(word);
    project.write('go', '');
    const { stdout, stderr } = await running.ended;
    expect(stdout).toMatch(/^(?:I had \[redacted\]\n)+$/);
    expect(stderr).toMatch(
      /w: sh does not get .*GITHUB_TOKEN.* \(STOPGATE_PASS_ENV=NAME,… passes those that its tasks need\)/,
    );
    const given = project
      .read('agent.env')
      .split('\n')
      .filter((line) => line.includes(word));
    expect(given.map((line) => line.split('=')[0]).toSorted()).toEqual(['ANTHROPIC_API_KEY', 'OPENAI_API_KEY']);
    const shown = (await project.run(['task', 'show', id, '--json'])).stdout;
    expect(shown).toContain('I had [redacted]');
    expect(filesWith(word, project)).toEqual(['project/agent.env']);
  });

  it('are not shown by a coordinator or its workers', async () => {
    await using project = await testProject();
    const { word, env } = plant(project);
    await project.run(['task', 'add', 'one'], { env });
    const agent = `sh -c 'echo "$ANTHROPIC_API_KEY"; echo $PPID > pid; while ! test -e go; do sleep 0.05; done' sh`;
    const running = project.start(['fleet', 'up', '--ignore-load', '--agent', agent], { env });
    await until(() => existsSync(path.join(project.dir, 'pid')) && project.read('pid') !== '');
    const parents = [running.child.pid, ...workersOf(running.child.pid)];
    expect(parents.length).toBeGreaterThan(1);
    for (const pid of parents) expect(environOf(pid)).not.toContain(word);
    project.write('go', '');
    running.child.kill('SIGTERM');
    await running.ended;
    expect(filesWith(word, project)).toEqual([]);
  });

  it('are not shown to a check that a hook of another agent runs', async () => {
    await using project = await testProject();
    const { word, env } = plant(project);
    project.write(
      'stopgate.config.json',
      JSON.stringify({ checks: [{ name: 'c', command: `env; ${scan(word)}; exit 1` }] }),
    );
    const input = JSON.stringify({
      hook_event_name: 'Stop',
      session_id: 's',
      cwd: project.dir,
      stop_hook_active: false,
    });
    const { stdout, stderr } = await project.run(['hook', 'stop'], {
      input,
      env: { ...env, STOPGATE_TRUST_PROJECT: '1' },
    });
    expect(stdout).toContain('scanned');
    expect(`${stdout}${stderr}`).not.toContain(word);
    expect(filesWith(word, project)).toEqual([]);
  });

  it('are in no message about a store or a model that refuses', async () => {
    await using project = await testProject(() => ({ error: { status: 401, message: 'refused' } }));
    const { word, env } = plant(project);
    const store = `postgres://me:${word}@127.0.0.1:9/tasks`;
    const refusing = http.createServer((request, response) => {
      response.writeHead(400, { 'content-type': 'application/json' });
      response.end(JSON.stringify({ error: { message: `bad key ${request.headers['x-api-key']}` } }));
    });
    await new Promise<void>((listening) => refusing.listen(0, '127.0.0.1', listening));
    await using _closing = {
      [Symbol.asyncDispose]: () => new Promise<void>((closed) => refusing.close(() => closed())),
    };
    const ANTHROPIC_BASE_URL = `http://127.0.0.1:${(refusing.address() as AddressInfo).port}`;
    const ends = await Promise.all([
      project.run(['task', 'list', '--debug'], { env: { ...env, STOPGATE_STORE: store } }),
      project.run(['task', 'list', '--store', store, '--debug'], { env }),
      project.run(['worker', 'run', '--agent', 'true', '--store', store, '--debug'], { env }),
      waitingFleet(project, { ...env, STOPGATE_STORE: store }),
      project.run(['-p', 'x', '--debug'], { env: { ...env, ANTHROPIC_BASE_URL } }),
      project.run(['-p', 'x', '--model', 'none/such', '--debug'], { env }),
      project.run(['demo', '--fast', '--debug'], { env }),
      project.run(['status'], { env: { ...env, STOPGATE_STORE: store } }),
    ]);
    expect(ends.slice(0, 6).map(({ code }) => code)).not.toContain(0);
    expect(ends.filter(({ stdout, stderr }) => `${stdout}${stderr}`.includes(word))).toEqual([]);
    expect(filesWith(word, project)).toEqual([]);
  });
});

/** It waits for its store until it is ended. */
async function waitingFleet(project: TestProject, env: Readonly<Record<string, string>>) {
  const running = project.start(['fleet', 'up', '--agent', 'true', '--debug'], { env });
  await running.sees('cannot be reached');
  running.child.kill('SIGTERM');
  return running.ended;
}

/** Processes of workers that this one started. */
function workersOf(pid: number | undefined): readonly number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((other) => {
      try {
        const [, parent] = /\) \S (\d+) /.exec(readFileSync(`/proc/${other}/stat`, 'utf8')) ?? [];
        return Number(parent) === pid && readFileSync(`/proc/${other}/cmdline`, 'utf8').includes('worker');
      } catch {
        return false;
      }
    });
}
