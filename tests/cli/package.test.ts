import { execFile } from 'node:child_process';
import { mkdir, readdir, rm, writeFile } from 'node:fs/promises';
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
    // two bundles, the library and its doubles; all else is shared
    const bundles = (await readdir(path.join(installed, 'dist'))).filter((name) => name.endsWith('.cjs'));
    expect(bundles.toSorted()).toEqual(['cli.cjs', 'hook.cjs', 'index.cjs', 'testing.cjs']);
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
});
