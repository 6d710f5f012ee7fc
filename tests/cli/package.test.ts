import { execFile, spawnSync } from 'node:child_process';
import { mkdir, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { tempFolder } from '../../src/testing/tempFolder.ts';

const run = promisify(execFile);
const ROOT = path.join(import.meta.dirname, '../..');
const MEGABYTE = 1_000_000;

interface Packed {
  readonly filename: string;
  readonly size: number;
  readonly unpackedSize: number;
  readonly files: readonly { readonly path: string }[];
}

describe('the package', () => {
  let folder: Awaited<ReturnType<typeof tempFolder>>;
  let packed: Packed;
  let installed: string;

  beforeAll(async () => {
    folder = await tempFolder();
    const args = ['pack', '--json', '--ignore-scripts', '--offline', '--pack-destination', folder.path];
    const { stdout } = await run('npm', args, { cwd: ROOT, maxBuffer: 50 * MEGABYTE });
    // npm 12 prints an object by name, earlier versions a list
    [packed] = Object.values(JSON.parse(stdout)) as [Packed];
    // alone, as on a machine with nothing but Node: no dependency is beside it
    installed = path.join(folder.path, 'node_modules/stopgate');
    await mkdir(installed, { recursive: true });
    const archive = path.join(folder.path, packed.filename);
    await run('tar', ['-xzf', archive, '-C', installed, '--strip-components=1']);
    await rm(archive);
  }, 120_000);
  afterAll(() => folder?.[Symbol.asyncDispose]());

  const environment = () => ({ PATH: process.env.PATH, HOME: folder.path });
  const stopgate = (...args: string[]) =>
    run(process.execPath, [path.join(installed, 'bin/stopgate.js'), ...args], {
      cwd: folder.path,
      env: environment(),
      timeout: 60_000,
    });

  it('is small', async () => {
    expect(packed.size).toBeLessThan(2 * MEGABYTE);
    expect(packed.unpackedSize).toBeLessThan(8 * MEGABYTE);
    expect(packed.files.filter((file) => file.path.endsWith('.map'))).toEqual([]);
    // two bundles, the library, its doubles, its gate and adapters; all else is shared
    const bundles = (await readdir(path.join(installed, 'dist'))).filter((name) => name.endsWith('.cjs'));
    expect(bundles.toSorted()).toEqual([
      'agent-sdk.cjs',
      'ai-sdk.cjs',
      'cli.cjs',
      'gate.cjs',
      'hook.cjs',
      'index.cjs',
      'langchain.cjs',
      'mastra.cjs',
      'openai-agents.cjs',
      'pi.cjs',
      'testing.cjs',
    ]);
  });

  it('runs without any dependency beside it', async () => {
    expect((await stopgate('--version')).stdout).toMatch(/^\d+\.\d+\.\d+\n$/);
    const script = path.join(folder.path, 'script.json');
    await writeFile(script, JSON.stringify({ replies: [{ text: 'done' }] }));
    expect((await stopgate('-p', 'go', '--model', `scripted:${script}`)).stdout).toContain('done');
    expect((await stopgate('task', 'add', 'one')).stdout).toMatch(/^\w+\n$/);
    const { lease } = JSON.parse((await stopgate('task', 'claim', '--worker', 'me', '--json')).stdout);
    expect(lease).toMatchObject({ epoch: 1 });
  });

  it('answers a hook', async () => {
    const event = { hook_event_name: 'PreToolUse', session_id: 's', tool_name: 'Write', tool_input: {} };
    const env = { ...environment(), STOPGATE_BUDGET_END: String(Math.floor(Date.now() / 1000) - 10) };
    const asked = run(process.execPath, [path.join(installed, 'dist/hook.cjs'), 'pre-tool-use'], { env });
    asked.child.stdin?.end(JSON.stringify(event));
    expect((await asked).stdout).toContain('The time budget is over');
  });

  it('is imported by its name, with every public name', async () => {
    const program = `
      import { createRequire } from 'node:module';
      import * as all from 'stopgate';
      const required = Object.keys(createRequire(import.meta.url)('stopgate'));
      console.log(JSON.stringify({ required, missing: required.filter((name) => all[name] === undefined) }));`;
    await writeFile(path.join(folder.path, 'program.mjs'), program);
    const { stdout } = await run(process.execPath, ['program.mjs'], { cwd: folder.path, env: environment() });
    const { required, missing } = JSON.parse(stdout);
    expect(required).toEqual(expect.arrayContaining(['query', 'defineTool', 'z']));
    // Node finds the names of a CommonJS file by reading it, and not every way of exporting one is found
    expect(missing).toEqual([]);
  });

  it('imports every sub-path, and only the one of the AI SDK needs its framework', async () => {
    const { exports } = JSON.parse(await readFile(path.join(installed, 'package.json'), 'utf8'));
    const program = `
      import { createRequire } from 'node:module';
      const require = createRequire(import.meta.url);
      const imported = {};
      for (const name of process.argv.slice(2)) {
        const found = await import(name).then((module) => ({ module }), ({ message }) => ({ message }));
        const names = found.module ? Object.keys(require(name)) : [];
        imported[name] = found.message ?? names.filter((one) => typeof found.module[one] !== 'undefined').toSorted();
      }
      console.log(JSON.stringify(imported));`;
    await writeFile(path.join(folder.path, 'paths.mjs'), program);
    const names = Object.keys(exports).filter((name) => !['.', './testing', './package.json'].includes(name));
    const args = ['paths.mjs', ...names.map((name) => name.replace('.', 'stopgate'))];
    const { stdout } = await run(process.execPath, args, { cwd: folder.path, env: environment() });
    expect(JSON.parse(stdout)).toEqual({
      'stopgate/agent-sdk': ['gateEnv', 'untilDone'],
      'stopgate/ai-sdk': expect.stringContaining("Cannot find module 'ai'"),
      'stopgate/gate': ['createGate'],
      'stopgate/langchain': ['untilDone'],
      'stopgate/mastra': ['untilDone'],
      'stopgate/openai-agents': ['runUntilDone'],
      'stopgate/pi': ['gateAgent', 'stopgate', 'untilDone'],
    });
  });

  it('has a gate that works by import and by require', async () => {
    const program = `
      import { createRequire } from 'node:module';
      import { createGate } from 'stopgate/gate';
      import { gateEnv } from 'stopgate/agent-sdk';
      const required = createRequire(import.meta.url)('stopgate/gate');
      const verdict = await createGate({ cwd: process.cwd(), checks: [{ name: 'one', command: 'true' }] }).mayStop();
      console.log(required.createGate === createGate, typeof gateEnv, verdict.type, verdict.ending.reason);`;
    await writeFile(path.join(folder.path, 'gate.mjs'), program);
    const { stdout } = await run(process.execPath, ['gate.mjs'], { cwd: folder.path, env: environment() });
    expect(stdout).toBe('true function stop passed (one)\n');
  });

  it.each([
    ['as a module', 'program.mts'],
    ['as CommonJS', 'program.cts'],
  ])('has types of the gate and its adapters without any: %s', async (_what, name) => {
    for (const one of ['zod', 'ai', '@types']) {
      await symlink(path.join(ROOT, 'node_modules', one), path.join(folder.path, 'node_modules', one)).catch(() => {});
    }
    await writeFile(path.join(folder.path, name), TYPED);
    const options = ['--noEmit', '--strict', '--exactOptionalPropertyTypes', '--skipLibCheck'];
    const modules = [
      '--module',
      'nodenext',
      '--target',
      'es2024',
      '--lib',
      'es2024,esnext.disposable',
      '--types',
      'node',
    ];
    const tsc = path.join(ROOT, 'node_modules/typescript/bin/tsc');
    const checked = spawnSync(process.execPath, [tsc, ...options, ...modules, name], { cwd: folder.path });
    expect([checked.status, checked.stdout.toString()]).toEqual([0, '']);
  });
});

/** Compiles only when nothing that a program touches is `any`. */
const TYPED = `
import { createGate, type Gate, type GateOptions, type Verdict } from 'stopgate/gate';
import { untilDone } from 'stopgate/ai-sdk';
import { gateEnv, untilDone as hooksUntilDone } from 'stopgate/agent-sdk';
import { untilDone as middleware } from 'stopgate/langchain';
import { untilDone as mastraOptions } from 'stopgate/mastra';
import { type AgentsRunResult, runUntilDone } from 'stopgate/openai-agents';
import { gateAgent, stopgate, untilDone as loopConfig } from 'stopgate/pi';
type IsAny<T> = 0 extends 1 & T ? true : false;
type Fields<T> = { [Key in keyof T]-?: IsAny<T[Key]> }[keyof T];
const none = <T extends false>(_value: T | undefined): void => {};
const options: GateOptions = { cwd: '.', checks: [{ command: 'true' }], onCheck: ({ name, state }) => { const both: string = name + state; void both; } };
const gate: Gate = createGate(options);
none<Fields<Gate>>(undefined);
none<Fields<GateOptions>>(undefined);
none<IsAny<ReturnType<typeof untilDone>>>(undefined);
none<Fields<ReturnType<typeof untilDone>>>(undefined);
none<Fields<ReturnType<typeof hooksUntilDone>>>(undefined);
none<IsAny<ReturnType<typeof gateEnv>[string]>>(undefined);
none<Fields<ReturnType<typeof middleware>>>(undefined);
none<Fields<ReturnType<typeof mastraOptions>>>(undefined);
none<Fields<ReturnType<typeof loopConfig>>>(undefined);
none<Fields<AgentsRunResult>>(undefined);
none<IsAny<Parameters<typeof gateAgent>[0]>>(undefined);
none<IsAny<ReturnType<typeof stopgate>>>(undefined);
declare const run: (agent: object, input: string) => Promise<AgentsRunResult>;
const gated: typeof run = runUntilDone(run, gate);
void gated;
export async function ask(): Promise<string> {
  const verdict: Verdict = await gate.mayStop({ answer: 'x' });
  none<Fields<typeof verdict>>(undefined);
  if (verdict.type === 'goOn') return verdict.feedback;
  none<Fields<typeof verdict.ending>>(undefined);
  none<Fields<typeof verdict.evidence.checks[number]>>(undefined);
  // @ts-expect-error closed: no verdict of a stop is "blocked"
  if (verdict.ending.type === 'blocked') return '';
  const tree: string | undefined = verdict.evidence.tree?.digest;
  return verdict.ending.type + verdict.ending.reason + tree;
}
`;
