import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { COMPILED_CODE_AT_HOME } from '../support/compiledCode.ts';
import { BIN, type TestProject, testProject } from '../support/project.ts';

const PROBE = `process.on('exit', () => {
  require('node:fs').writeFileSync(process.env.PROBE_FILE, JSON.stringify(process.moduleLoadList));
});`;

/** Runs the built command and gives back which of Node's own modules it had loaded at its end. */
async function loadedBy(project: TestProject, args: readonly string[]): Promise<string[]> {
  const probe = project.write('../probe.cjs', PROBE);
  const env = { NODE_OPTIONS: `--require=${probe}`, PROBE_FILE: path.join(project.dir, 'loaded.json') };
  const { code, stderr } = await project.run(['-p', 'x', ...args], { env });
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  return JSON.parse(project.read('loaded.json'));
}

/** What costs more to load than all of Stopgate. */
const isHeavy = (name: string) => /undici|http2|internal\/tls|_tls_|NativeModule tls/.test(name);

const LOADED_FILES = `process.on('exit', () => {
  require('node:fs').writeFileSync(process.env.PROBE_FILE, JSON.stringify(Object.keys(require.cache)));
});`;

describe.concurrent('a hook of every tool call', () => {
  it.each(['pre-tool-use', 'post-tool-use'])('%s loads nothing of trust', async (event) => {
    await using project = await testProject();
    const probe = project.write('../probe.cjs', LOADED_FILES);
    const file = path.join(project.dir, 'loaded.json');
    const input = JSON.stringify({
      session_id: 's',
      cwd: project.dir,
      tool_name: 'Bash',
      tool_input: { command: 'ls' },
    });
    const env = { NODE_OPTIONS: `--require=${probe}`, PROBE_FILE: file };
    const { code } = await project.run(['hook', event], { input, env });
    expect(code).toBe(0);
    const loaded: string[] = JSON.parse(project.read('loaded.json'));
    const own = loaded.filter((name) => name.includes('/dist/'));
    expect(own.length).toBeGreaterThan(0);
    expect(own.filter((name) => readFileSync(name, 'utf8').includes('changed since you trusted it'))).toEqual([]);
  });

  it('finds all functions that it calls compiled', async () => {
    await using project = await testProject();
    const log = path.join(project.home, 'v8.log');
    const input = JSON.stringify({ tool_name: 'Bash', tool_input: { command: 'npm test' } });
    const env = { HOME: project.home, STOPGATE_BUDGET_END: String(Math.floor(Date.now() / 1000) + 100) };
    const flags = ['--log-function-events', '--no-logfile-per-isolate', `--logfile=${log}`];
    const parsed = () => {
      execFileSync(process.execPath, [...flags, 'dist/hook.cjs', 'pre-tool-use'], { input, env });
      const lines = readFileSync(log, 'utf8').split('\n');
      const script = lines.find((line) => /^script-details,\d+,.*toolEvents/.test(line))?.split(',')[1];
      expect(script).toBeDefined();
      return lines.filter((line) => line.startsWith(`function,full-parse,${script},`)).length;
    };
    expect(parsed()).toBeGreaterThan(50);
    expect(parsed()).toBe(0);
  });
});

describe.concurrent('a process that opens the store', () => {
  it.each([
    ['the stop of a worker', ['hook', 'stop']],
    ['a claim', ['task', 'claim', '--worker', 'w']],
  ])('%s loads no Zod', async (_what, args) => {
    await using project = await testProject();
    const probe = project.write('../probe.cjs', LOADED_FILES);
    const input = JSON.stringify({ session_id: 's', cwd: project.dir, hook_event_name: 'Stop' });
    const worker = args[0] === 'hook' ? { STOPGATE_WORKER: 'w', STOPGATE_WORKER_INCARNATION: '1' } : {};
    const env = { NODE_OPTIONS: `--require=${probe}`, PROBE_FILE: path.join(project.dir, 'loaded.json'), ...worker };
    await project.run(['task', 'add', 'Do it']);
    await project.run(args, { input, env });
    const loaded = (JSON.parse(project.read('loaded.json')) as string[]).map((name) => path.basename(name));
    expect(loaded).toContain('store.cjs');
    expect(loaded).not.toContain('zod.cjs');
  });
});

describe('a stop of Claude Code in a project with checks', () => {
  it('loads nothing of a session of our own', async () => {
    await using project = await testProject();
    const probe = project.write('../probe.cjs', LOADED_FILES);
    project.write('stopgate.config.json', '{"checks":[{"name":"t","command":"exit 1"}]}');
    const env = {
      NODE_OPTIONS: `--require=${probe}`,
      PROBE_FILE: path.join(project.dir, 'loaded.json'),
      STOPGATE_TRUST_PROJECT: '1',
      // headless: then the gate asks whether the session may edit files
      CLAUDE_CODE_ENTRYPOINT: 'sdk-cli',
      CLAUDE_PROJECT_DIR: project.dir,
    };
    const input = JSON.stringify({ session_id: 's', cwd: project.dir, hook_event_name: 'Stop' });
    const { lines, stderr } = await project.run(['hook', 'stop'], { input, env });
    expect(lines[0], stderr).toMatchObject({ decision: 'block' });
    const loaded = (JSON.parse(project.read('loaded.json')) as string[]).map((name) => path.basename(name));
    expect(loaded).toContain('done.cjs');
    expect(loaded).toContain('settings.cjs');
    const ofSessions = ['session.cjs', 'turn.cjs', 'parts.cjs', 'pieces.cjs', 'cli.cjs'];
    expect(loaded.filter((name) => ofSessions.includes(name))).toEqual([]);
  });
});

describe('the library', () => {
  it('loads only what it needs', async () => {
    await using project = await testProject();
    const library = JSON.stringify(path.join(path.dirname(BIN), '../dist/index.cjs'));
    const { names } = load(project, `require(${library});`);
    expect(names).toContain('turn.cjs');
    // a program keeps in memory what it has loaded
    const others = ['shared.cjs', 'proofs.cjs', 'trusted.cjs', 'done.cjs', 'store.cjs', 'session.cjs', 'cli.cjs'];
    expect(names.filter((name) => others.includes(name))).toEqual([]);
  });
});

/** The files and Node's own modules that a program has loaded at its end. */
function load(project: TestProject, program: string) {
  const env = { PATH: process.env.PATH, HOME: project.home };
  const list = 'console.log(JSON.stringify([Object.keys(require.cache), process.moduleLoadList]));';
  const text = execFileSync(process.execPath, ['-e', `(async () => { ${program} })().then(() => { ${list} })`], {
    env,
  });
  const [files, modules] = JSON.parse(text.toString()) as [string[], string[]];
  return { files, modules, names: files.map((file) => path.basename(file)) };
}

describe('stopgate/gate', () => {
  const GATE = JSON.stringify(path.join(path.dirname(BIN), '../dist/gate.cjs'));
  /** Of providers and of our own requests to models. */
  const MODEL_CODE = ['api.anthropic.com', 'api.openai.com', 'AI_APICallError'];

  it('loads neither Zod, stores nor checks when it is imported', async () => {
    await using project = await testProject();
    const { names, files, modules } = load(project, `require(${GATE});`);
    expect(names).toContain('gate.cjs');
    const others = ['zod.cjs', 'done.cjs', 'checked.cjs', 'gates.cjs', 'store.cjs', 'slow-events.cjs', 'askGate.cjs'];
    expect(names.filter((name) => others.includes(name))).toEqual([]);
    // 10 ms are room for about twice as much
    expect(files.reduce((sum, file) => sum + readFileSync(file).length, 0)).toBeLessThan(140_000);
    expect(modules.filter((name) => isHeavy(name) || /sqlite/.test(name))).toEqual([]);
  });

  it('loads no model code when it runs checks', async () => {
    await using project = await testProject();
    const options = JSON.stringify({ cwd: project.dir, checks: [{ command: 'true' }] });
    const { files, names, modules } = load(project, `await require(${GATE}).createGate(${options}).mayStop();`);
    expect(names).toContain('zod.cjs');
    const texts = files.filter((name) => name.includes('/dist/')).map((name) => readFileSync(name, 'utf8'));
    expect(MODEL_CODE.filter((mark) => texts.some((text) => text.includes(mark)))).toEqual([]);
    expect(modules.filter(isHeavy)).toEqual([]);
    const chunks = path.join(path.dirname(BIN), '../dist/chunks');
    const all = readdirSync(chunks).map((name) => readFileSync(path.join(chunks, name), 'utf8'));
    expect(MODEL_CODE.filter((mark) => !all.some((text) => text.includes(mark)))).toEqual([]);
  });
});

describe.concurrent('a start', () => {
  it('loads neither undici nor TLS for a session with a tool call over plain http', async () => {
    const read = { name: 'Read', input: { file_path: 'note.txt' } };
    await using project = await testProject((_body, n) => (n === 0 ? { tools: [read] } : { text: 'ok' }));
    project.write('note.txt', 'words');
    const loaded = await loadedBy(project, []);
    expect(project.server.seen).toHaveLength(2);
    expect(loaded).toContain('NativeModule http');
    expect(loaded.filter(isHeavy)).toEqual([]);
    // the task store is for those who have a team or are workers
    expect(loaded.filter((name) => /sqlite/.test(name))).toEqual([]);
  });

  it('nor for one with an http hook', async () => {
    const asked: (string | undefined)[] = [];
    const server = http.createServer((request, response) => {
      asked.push(request.url);
      response.end('{}');
    });
    await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
    await using _closing = { [Symbol.asyncDispose]: () => new Promise<void>((closed) => server.close(() => closed())) };
    await using project = await testProject(() => ({ text: 'ok' }));
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/stop`;
    const settings = JSON.stringify({ hooks: { Stop: [{ hooks: [{ type: 'http', url }] }] } });
    const loaded = await loadedBy(project, ['--settings', settings]);
    expect(asked).toEqual(['/stop']);
    expect(loaded.filter(isHeavy)).toEqual([]);
  });

  it('loads nothing of the terminal session for -p', async () => {
    await using project = await testProject(() => ({ text: 'ok' }));
    const probe = project.write('../probe.cjs', LOADED_FILES);
    const env = { NODE_OPTIONS: `--require=${probe}`, PROBE_FILE: path.join(project.dir, 'loaded.json') };
    const { code } = await project.run(['-p', 'x'], { env });
    expect(code).toBe(0);
    const loaded: string[] = JSON.parse(project.read('loaded.json'));
    const own = loaded.filter((name) => name.includes('/dist/'));
    expect(own.length).toBeGreaterThan(0);
    // synchronized output, the editor's marker of its cursor, a sentence of the session
    const marks = ['[?2026h', '_pi:c', 'Nothing of this is in the conversation.'];
    const chunks = path.join(path.dirname(BIN), '../dist/chunks');
    const texts = readdirSync(chunks).map((name) => readFileSync(path.join(chunks, name), 'utf8'));
    for (const mark of marks) {
      expect(texts.some((text) => text.includes(mark))).toBe(true);
      expect(own.filter((name) => readFileSync(name, 'utf8').includes(mark))).toEqual([]);
    }
  });

  it('leaves compiled code for the next one although the command ends by process.exit', async () => {
    await using project = await testProject(() => ({ text: 'ok' }));
    const cache = path.join(project.home, '.stopgate/cache/compile');
    await project.run(['-p', 'x'], { env: COMPILED_CODE_AT_HOME });
    expect(existsSync(cache)).toBe(true);
    const kept = readdirSync(cache, { recursive: true, encoding: 'utf8' });
    expect(kept.length).toBeGreaterThan(10);
    await project.run(['-p', 'x'], { env: COMPILED_CODE_AT_HOME });
    // the second start found everything: it compiled nothing that had to be added
    expect(readdirSync(cache, { recursive: true, encoding: 'utf8' }).toSorted()).toEqual(kept.toSorted());
  });
});
