import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { sealedText } from '../../system/sealedFile.ts';
import { add, claim, worker } from '../../testing/storeContract/steps.ts';
import { tempFolder } from '../../testing/tempFolder.ts';
import { moveStore } from '../moveStore.ts';
import { openSqliteStore } from '../sqlite/openFile.ts';
import type { Store, Unavailable } from '../types.ts';
import { awayStore } from './awayStore.ts';
import { deliverKept } from './deliverKept.ts';
import { keepingStore } from './keepingStore.ts';
import { openOutbox } from './outbox.ts';

const AWAY: Unavailable = { type: 'unavailable', cause: 'unreachable', reason: 'There is no server.' };

const memoryStore = () => storeAt(':memory:');

function storeAt(place: string): Store {
  const store = openSqliteStore({ path: place });
  if ('type' in store) throw new Error(store.reason);
  return store;
}

async function claimed(store: Store) {
  await add(store, 'one');
  return (await claim(store, await worker(store))).lease;
}

it('keeps what a store did not take, and delivers it once in effect', async () => {
  await using folder = await tempFolder();
  await using store = memoryStore();
  const outbox = openOutbox(folder.path);
  const lease = await claimed(store);
  const keeping = { outbox, location: 'here', now: () => 5 };
  expect(await keepingStore(awayStore(AWAY), keeping).complete({ lease, result: 'first' })).toEqual(AWAY);
  // another process, after the first was killed
  const next = openOutbox(folder.path);
  expect(await next.list()).toMatchObject([{ operation: 'complete', keptAt: 5, request: { result: 'first' } }]);
  expect(await deliverKept(store, next, 'elsewhere')).toEqual([]);
  const before = (await next.list())[0];
  expect(await deliverKept(store, next, 'here')).toMatchObject([{ type: 'delivered' }]);
  expect(await next.list()).toEqual([]);
  // one that was delivered while its answer was lost
  if (before) await next.keep(before);
  expect(await deliverKept(store, next, 'here')).toMatchObject([{ type: 'delivered' }]);
  expect(await store.task({ id: lease.taskId })).toMatchObject({ task: { state: 'done', result: 'first' } });
});

it('sends what an agent reported before what its supervisor concludes', async () => {
  await using folder = await tempFolder();
  await using store = memoryStore();
  const outbox = openOutbox(folder.path);
  const lease = await claimed(store);
  const keeping = { outbox, location: 'here', now: () => 5 };
  await keepingStore(awayStore(AWAY), keeping).complete({ lease, result: 'by the agent' });
  expect(await keepingStore(store, keeping).fail({ lease, error: 'it exited with code 3' })).toMatchObject({
    type: 'settled',
  });
  expect(await store.task({ id: lease.taskId })).toMatchObject({ task: { state: 'done', result: 'by the agent' } });
  expect(await outbox.list()).toEqual([]);
});

it('keeps what a store refuses, and says why', async () => {
  await using folder = await tempFolder();
  await using store = memoryStore();
  const outbox = openOutbox(folder.path);
  const lease = await claimed(store);
  const keeping = { outbox, location: 'here', now: () => 5 };
  await keepingStore(awayStore(AWAY), keeping).complete({ lease, result: 'late', details: { branch: 'sg/x/1' } });
  await store.cancel({ taskId: lease.taskId });
  expect(await deliverKept(store, outbox, 'here')).toMatchObject([{ type: 'refused' }]);
  expect(await outbox.list()).toEqual([]);
  expect(await outbox.refused()).toMatchObject([
    { refused: 'superseded: the task was cancelled', request: { result: 'late', details: { branch: 'sg/x/1' } } },
  ]);
});

it('keeps a refused settlement when it cannot be written aside, and says so once', async () => {
  await using folder = await tempFolder();
  await using store = memoryStore();
  const notices: string[] = [];
  const outbox = openOutbox(folder.path, (sentence) => notices.push(sentence));
  const lease = await claimed(store);
  const keeping = { outbox, location: 'here', now: () => 5 };
  await keepingStore(awayStore(AWAY), keeping).complete({ lease, result: 'late' });
  await store.cancel({ taskId: lease.taskId });
  const aside = path.join(folder.path, 'outbox/superseded');
  // as on a full disk
  writeFileSync(aside, '');
  await deliverKept(store, outbox, 'here');
  await deliverKept(store, outbox, 'here');
  expect(await openOutbox(folder.path).list()).toMatchObject([{ request: { result: 'late' } }]);
  expect(notices).toEqual([
    expect.stringContaining(`the refused settlement of task ${lease.taskId} cannot be written`),
  ]);
  rmSync(aside);
  await deliverKept(store, outbox, 'here');
  expect(await outbox.refused()).toMatchObject([{ request: { result: 'late' } }]);
  expect(await outbox.list()).toEqual([]);
});

it('follows a store that has moved, and leaves what another one in its place has', async () => {
  await using folder = await tempFolder();
  const [here, there] = ['here.db', 'there.db'].map((name) => path.join(folder.path, name)) as [string, string];
  await using before = storeAt(here);
  await using after = storeAt(there);
  const outbox = openOutbox(folder.path);
  const lease = await claimed(before);
  expect(await moveStore(before, after, there)).toMatchObject({ type: 'moved' });
  const keeping = { outbox, location: here, now: () => 5 };
  expect(await keepingStore(before, keeping).complete({ lease, result: 'x' })).toMatchObject({ cause: 'moved' });
  const other = { ...lease, attemptId: 'of-another' };
  await keepingStore(awayStore(AWAY), keeping).complete({ lease: other, result: 'y' });
  expect(await deliverKept(before, outbox, here)).toMatchObject([{ type: 'waiting' }]);
  expect(await deliverKept(after, outbox, there)).toMatchObject([{ type: 'delivered' }]);
  expect(await after.task({ id: lease.taskId })).toMatchObject({ task: { state: 'done', result: 'x' } });
  expect(await outbox.list()).toMatchObject([{ request: { result: 'y' } }]);
});

it('holds what cannot be written, and reports that', async () => {
  await using folder = await tempFolder();
  await using store = memoryStore();
  const said: string[] = [];
  // a file in the place of its folder
  writeFileSync(path.join(folder.path, 'outbox'), '');
  const outbox = openOutbox(folder.path, (sentence) => said.push(sentence));
  const lease = await claimed(store);
  const keeping = { outbox, location: 'here', now: () => 5 };
  await keepingStore(awayStore(AWAY), keeping).complete({ lease, result: 'x' });
  expect(said).toEqual([
    expect.stringMatching(/^the settlement of task .* cannot be written to .*; only this process/),
  ]);
  expect(await deliverKept(store, outbox, 'here')).toMatchObject([{ type: 'delivered' }]);
  expect(readdirSync(folder.path)).toEqual(['keys', 'outbox']);
});

it.each(['{"version":1', '', '{"version":2}'])(
  'a damaged file %j in the place of a settlement is set aside',
  async (text) => {
    await using folder = await tempFolder();
    await using store = memoryStore();
    const said: string[] = [];
    const lease = await claimed(store);
    const file = path.join(folder.path, 'outbox', `${lease.attemptId}.json`);
    mkdirSync(path.dirname(file), { recursive: true });
    writeFileSync(file, text);
    const outbox = openOutbox(folder.path, (one) => said.push(one));
    await keepingStore(awayStore(AWAY), { outbox, location: 'here', now: () => 5 }).complete({ lease, result: 'kept' });
    expect(said).toEqual([expect.stringContaining(`${file} is not a settlement of that name and was moved to `)]);
    const aside = readdirSync(path.dirname(file)).find((name) => name.includes('.damaged-'));
    expect(readFileSync(path.join(path.dirname(file), String(aside)), 'utf8')).toBe(text);
    // another process, after the first was killed
    expect(await deliverKept(store, openOutbox(folder.path), 'here')).toMatchObject([{ type: 'delivered' }]);
    expect(await store.task({ id: lease.taskId })).toMatchObject({ task: { state: 'done', result: 'kept' } });
  },
);

it('reports a file that cannot be read once, and leaves it', async () => {
  await using folder = await tempFolder();
  const said: string[] = [];
  const file = path.join(folder.path, 'outbox', 'x.json');
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, '{"version":2}');
  const outbox = openOutbox(folder.path, (one) => said.push(one));
  expect([await outbox.list(), await outbox.list()]).toEqual([[], []]);
  expect(said).toEqual([`${file} is not a settlement that Stopgate wrote, so it is not delivered; look at it.`]);
  expect(readdirSync(path.dirname(file))).toEqual(['x.json']);
});

it('one poisoned file does not stop the delivery of the others', async () => {
  await using folder = await tempFolder();
  await using store = memoryStore();
  const lease = await claimed(store);
  const said: string[] = [];
  const outbox = openOutbox(folder.path, (one) => said.push(one));
  const box = path.join(folder.path, 'outbox');
  mkdirSync(box, { recursive: true });
  const base = { version: 1, store: 'here', keptAt: 1, operation: 'complete' };
  const bad = (name: string, l: object, more: object = {}) => {
    const text = JSON.stringify({ ...base, request: { lease: { ...lease, ...l }, result: 'x', ...more } });
    const file = path.join(box, `${name}.json`);
    writeFileSync(file, sealedText(folder.path, file, text));
  };
  bad('a', { attemptId: 'nul\u0000', epoch: 9007199254740991 });
  bad('b', { attemptId: 'b', epoch: -9007199254740991, taskId: '' }, { details: { costUsd: 1e308 } });
  bad('c', { attemptId: '../../../x', workerId: '\u0000' });
  await outbox.keep({ ...base, keptAt: 9, request: { lease, result: 'fine' } } as never);
  const result = await deliverKept(store, outbox, 'here').catch((e: Error) => e);
  expect(result).not.toBeInstanceOf(Error);
  expect(await store.task({ id: lease.taskId })).toMatchObject({ task: { state: 'done', result: 'fine' } });
  expect(await outbox.list()).toEqual([]);
  // those with the name of another attempt, once
  expect(said).toEqual([
    expect.stringMatching(/a\.json is not a settlement of that name and was moved to /),
    expect.stringMatching(/c\.json is not a settlement of that name and was moved to /),
  ]);
  const names = readdirSync(box).toSorted();
  expect(names).toEqual([
    expect.stringMatching(/^a\.json\.damaged-/),
    expect.stringMatching(/^c\.json\.damaged-/),
    'superseded',
  ]);
});
