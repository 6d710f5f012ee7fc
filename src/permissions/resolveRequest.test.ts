import { mkdir, mkdtemp, realpath, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { makeRealPath, resolveDirectories, resolveRequest } from './makeRealPath.ts';

let folder: string;
beforeEach(async () => {
  folder = await realpath(await mkdtemp(join(tmpdir(), 'stopgate-')));
  await mkdir(join(folder, 'in'));
  await mkdir(join(folder, 'out'));
  await writeFile(join(folder, 'out', 'file'), '');
});
afterEach(() => rm(folder, { recursive: true }));

it('follows links to files and folders', async () => {
  await symlink(join(folder, 'out'), join(folder, 'in', 'link'));
  expect(makeRealPath()(join(folder, 'in', 'link', 'file'))).toBe(join(folder, 'out', 'file'));
});

it('resolves a file that does not exist yet, below a link', async () => {
  await symlink(join(folder, 'out'), join(folder, 'in', 'link'));
  expect(makeRealPath()(join(folder, 'in', 'link', 'a', 'b'))).toBe(join(folder, 'out', 'a', 'b'));
});

it('follows a link to a file that does not exist yet', async () => {
  await symlink('../out/new', join(folder, 'in', 'link'));
  expect(makeRealPath()(join(folder, 'in', 'link'))).toBe(join(folder, 'out', 'new'));
});

it('ends on links that go in a circle', async () => {
  await symlink(join(folder, 'b'), join(folder, 'a'));
  await symlink(join(folder, 'a'), join(folder, 'b'));
  expect(makeRealPath()(join(folder, 'a'))).toContain(folder);
});

it('adds where a request leads', async () => {
  await symlink(join(folder, 'out', 'file'), join(folder, 'in', 'link'));
  const path = join(folder, 'in', 'link');
  expect(resolveRequest({ type: 'edit', path })).toEqual({
    type: 'edit',
    path,
    resolvedPath: join(folder, 'out', 'file'),
  });
  expect(resolveRequest({ type: 'command', command: 'ls' })).toEqual({ type: 'command', command: 'ls' });
});

it('keeps a folder under both of its names', async () => {
  const link = join(folder, 'link');
  await symlink(join(folder, 'in'), link);
  expect(resolveDirectories([link])).toEqual([link, join(folder, 'in')]);
});
