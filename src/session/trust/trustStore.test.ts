import { readdirSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { tempFolder } from '../../testing/tempFolder.ts';
import { trustStore } from './trustStore.ts';

const AT = new Date('2026-11-15T00:00:00Z');
const CONTENT = {
  items: [],
  files: { a: { is: 'file' as const, path: 'a', real: null, digest: 'abc', executable: false, stamp: null } },
};
const approval = (folder: string) => ({ folder, at: AT, content: CONTENT, texts: { abc: 'echo' } });

it('approves a folder, not what is inside or above it, until it is forgotten', async () => {
  await using home = await tempFolder();
  const store = trustStore(home.path);
  expect(store.read('/work/project')).toBeNull();
  await store.approve(approval('/work/project'));
  expect(store.read('/work/project')).toEqual({
    folder: '/work/project',
    trustedAt: AT.toISOString(),
    content: CONTENT,
  });
  expect(store.texts('/work/project')).toEqual({ abc: 'echo' });
  expect(store.read('/work')).toBeNull();
  expect(store.read('/work/project/sub')).toBeNull();
  expect((await store.list()).map(({ folder }) => folder)).toEqual(['/work/project']);
  expect(statSync(store.fileOf('/work/project')).mode & 0o777).toBe(0o600);
  expect(await store.forget('/work/project')).toBe(true);
  expect(await store.forget('/work/project')).toBe(false);
  expect(readdirSync(path.join(home.path, 'trust'))).toEqual([]);
});

it('keeps all answers of several that are given concurrently', async () => {
  await using home = await tempFolder();
  const folders = Array.from({ length: 20 }, (_, n) => `/work/p${n}`);
  await Promise.all(folders.map((folder) => trustStore(home.path).approve(approval(folder))));
  expect((await trustStore(home.path).list()).map(({ folder }) => folder)).toEqual([...folders].sort());
});

it('takes a torn or foreign record for no trust', async () => {
  await using home = await tempFolder();
  const store = trustStore(home.path);
  await store.approve(approval('/work/project'));
  const file = store.fileOf('/work/project');
  for (const text of [
    '',
    '{"folder":',
    '[]',
    '{"folder":"/work/other","trustedAt":""}',
    '{"folder":"/work/project"}',
  ]) {
    writeFileSync(file, text);
    expect(store.read('/work/project')).toBeNull();
  }
});
