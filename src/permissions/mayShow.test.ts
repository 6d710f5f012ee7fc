import { mkdir, mkdtemp, realpath, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { makeMayShow } from './mayShow.ts';

let folder: string;
beforeEach(async () => {
  folder = await realpath(await mkdtemp(join(tmpdir(), 'stopgate-')));
  await mkdir(join(folder, 'secrets'));
  await writeFile(join(folder, 'secrets', 'k'), '');
  await symlink('secrets', join(folder, 'link'));
});
afterEach(() => rm(folder, { recursive: true }));

const NO_RULES = { allow: [], ask: [], deny: [] };

it.each([
  ['.env', { deny: ['Read(.env)'] }, false],
  ['deep/.env', { deny: ['Read(./.env)'] }, false],
  ['src/a.ts', { deny: ['Read(.env)', 'Edit(src/**)', 'Bash(cat *)'] }, true],
  ['secrets/k', { ask: ['Read(secrets/**)'] }, false],
  ['link/k', { deny: ['Read(/secrets/**)'] }, false],
  ['x', { allow: ['Read(x)'] }, true],
])('%s with %j: %s', (path, rules, shown) => {
  const places = { directories: [folder], projectDir: folder, homeDir: '/home/ann' };
  expect(makeMayShow({ ...places, rules: { ...NO_RULES, ...rules } })(join(folder, path))).toBe(shown);
});
