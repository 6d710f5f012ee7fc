import { readdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { tempFolder } from '../../testing/tempFolder.ts';
import { trustStore } from './trustStore.ts';

const AT = new Date('2026-11-15T00:00:00Z');

it('trusts a folder, not what is inside or above it, until it is forgotten', async () => {
  await using home = await tempFolder();
  const store = trustStore(home.path);
  expect(await store.isTrusted('/work/project')).toBe(false);
  await store.trust('/work/project', AT);
  expect(await store.isTrusted('/work/project')).toBe(true);
  expect(await store.isTrusted('/work')).toBe(false);
  expect(await store.isTrusted('/work/project/sub')).toBe(false);
  expect(await store.list()).toEqual([{ folder: '/work/project', trustedAt: AT.toISOString() }]);
  expect(await store.forget('/work/project')).toBe(true);
  expect(await store.forget('/work/project')).toBe(false);
  expect(await store.isTrusted('/work/project')).toBe(false);
});

it('keeps all answers of several that are given concurrently', async () => {
  await using home = await tempFolder();
  const folders = Array.from({ length: 20 }, (_, n) => `/work/p${n}`);
  await Promise.all(folders.map((folder) => trustStore(home.path).trust(folder, AT)));
  expect((await trustStore(home.path).list()).map(({ folder }) => folder)).toEqual([...folders].sort());
});

it('takes a torn or foreign record for no trust', async () => {
  await using home = await tempFolder();
  const store = trustStore(home.path);
  await store.trust('/work/project', AT);
  const directory = path.join(home.path, 'trust');
  const [file] = readdirSync(directory) as [string];
  for (const text of ['', '{"folder":', '[]', '{"folder":"/work/other","trustedAt":""}']) {
    writeFileSync(path.join(directory, file), text);
    expect(await store.isTrusted('/work/project')).toBe(false);
  }
});
