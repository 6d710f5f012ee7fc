import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { AppendOnlyList } from '../../system/appendOnly.ts';
import { systemClock } from '../../system/clock.ts';
import { scriptedReplies } from '../../testing/scriptedReplies.ts';
import { tempFolder } from '../../testing/tempFolder.ts';
import { readSnapshot, snapshotPath, snapshotStore } from './snapshotStore.ts';

const params = (text: string) => ({
  sessionId: 's',
  model: scriptedReplies([], { id: 'scripted:x' }),
  system: ['sys'],
  tools: [{ name: 'T', description: 'd', inputSchema: { type: 'object', zebra: 1, alpha: 2 } }],
  messages: AppendOnlyList.of([{ role: 'user', content: [{ type: 'text', text }] } as const]),
});

it('keeps the newest, whole, for its owner alone', async () => {
  await using folder = await tempFolder();
  const place = path.join(folder.path, 'session');
  const store = snapshotStore(place, systemClock);
  for (const text of ['one', 'two', 'three']) store.save(params(text));
  expect(await store.written()).toBeUndefined();
  const read = await readSnapshot(place);
  expect(read).toMatchObject({ type: 'ok', snapshot: { model: 'scripted:x', answer: null } });
  expect(readFileSync(snapshotPath(place), 'utf8')).toContain('three');
  expect(readFileSync(snapshotPath(place), 'utf8')).toContain('"zebra":1,"alpha":2');
  expect(statSync(snapshotPath(place)).mode & 0o777).toBe(0o600);
  expect(readdirSync(place)).toEqual(['snapshot.json']);
});

it('distinguishes a missing snapshot from a broken one', async () => {
  await using folder = await tempFolder();
  expect(await readSnapshot(folder.path)).toEqual({ type: 'missing' });
  writeFileSync(snapshotPath(folder.path), '{"version":1');
  expect(await readSnapshot(folder.path)).toMatchObject({ type: 'broken' });
  writeFileSync(snapshotPath(folder.path), '{"version":2}');
  expect(await readSnapshot(folder.path)).toMatchObject({ type: 'broken', reason: /^version: / });
});

it('reports that it could not be written, without failing', async () => {
  await using folder = await tempFolder();
  const file = path.join(folder.path, 'file');
  writeFileSync(file, '');
  const store = snapshotStore(path.join(file, 'session'), systemClock);
  store.save(params('one'));
  expect(await store.written()).toMatch(/^The snapshot for side questions cannot be written to /);
});
