import { mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { decidePermission } from './decidePermission.ts';

let folder: string;
beforeEach(async () => {
  folder = await realpath(await mkdtemp(join(tmpdir(), 'stopgate-')));
  await mkdir(join(folder, 'secrets'));
  await mkdir(join(folder, 'src', 'deep'), { recursive: true });
  await writeFile(join(folder, '.env'), '');
  await writeFile(join(folder, 'secrets', 'k'), '');
  await writeFile(join(folder, 'src', 'deep', 'b.pem'), '');
});
afterEach(() => rm(folder, { recursive: true }));

function search(toolName: string, path: string, rule: string) {
  return decidePermission({
    toolName,
    request: { type: 'read', path: join(folder, path) },
    mode: 'bypassPermissions',
    rules: { allow: [], ask: [], deny: [rule] },
    directories: [folder],
    projectDir: folder,
    homeDir: '/home/ann',
  });
}

it.each([
  ['Grep', '.', 'Read(.env)', '.env'],
  ['Glob', '.', 'Read(.env)', '.env'],
  ['Grep', '.', 'Read(secrets/**)', 'secrets'],
  ['Grep', 'src', 'Read(*.pem)', 'deep/b.pem'],
  ['Grep', 'secrets', 'Read(/secrets/k)', 'k'],
])('%s in %s is denied by %s, which names %s', (toolName, path, rule, file) => {
  const decision = search(toolName, path, rule);
  expect(decision).toEqual({ type: 'deny', reason: expect.stringContaining(rule) });
  expect(decision).toMatchObject({ reason: expect.stringContaining(`${file} is in it`) });
});

it.each([
  ['Grep', 'src', 'Read(.env)'],
  ['Glob', 'src', 'Read(secrets/**)'],
  ['Grep', '.', 'Read(//etc/**)'],
  ['Grep', '.', 'Read(absent)'],
  ['Grep', 'src/deep/b.pem', 'Read(.env)'],
  ['Read', 'src', 'Read(*.pem)'],
])('%s in %s is left alone by %s', (toolName, path, rule) => {
  expect(search(toolName, path, rule).type).toBe('allow');
});
