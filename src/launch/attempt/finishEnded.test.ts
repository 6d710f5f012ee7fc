import path from 'node:path';
import { expect, it } from 'vitest';
import { DEFAULT_LEASE } from '../../fleet/decisions/leaseTimes.ts';
import { moveStore } from '../../store/moveStore.ts';
import { endedRecords, writeEnded } from '../../store/outbox/endedFile.ts';
import { openSqliteStore } from '../../store/sqlite/openFile.ts';
import type { Lease, Store } from '../../store/types.ts';
import { thisHost } from '../../system/thisHost.ts';
import { thisWorld } from '../../system/world.ts';
import { type FakeClock, fakeClock } from '../../testing/fakeClock.ts';
import { add, claim, worker } from '../../testing/storeContract/steps.ts';
import { type TempFolder, tempFolder } from '../../testing/tempFolder.ts';
import { finishEnded } from './finishEnded.ts';

function storeAt(place: string, clock?: FakeClock): Store {
  const store = openSqliteStore({ path: place, ...(clock && { clock }) });
  if ('type' in store) throw new Error(store.reason);
  return store;
}

const placeIn = (folder: TempFolder, name: string) => path.join(folder.path, name);

/** Its worker was killed when its agent had finished. */
const leftBy = (folder: TempFolder, store: string, lease: Lease, host = thisHost()) =>
  writeEnded(folder.path, {
    ...{ version: 1, store, lease, folder: folder.path, tail: { text: 'all of it', errors: '' } },
    process: { host, pid: 1, pidStart: 'before' },
  });

async function finish(folder: TempFolder, store: Store, location: string): Promise<readonly string[]> {
  const said: string[] = [];
  const world = { ...thisWorld(), stopgateHome: folder.path };
  await finishEnded({ store, location, world, report: (sentence) => said.push(sentence) });
  return said;
}

it('settles in the new store what was finished before the store moved', async () => {
  await using folder = await tempFolder();
  const [here, there] = [placeIn(folder, 'here.db'), placeIn(folder, 'there.db')];
  await using before = storeAt(here);
  await using after = storeAt(there);
  await add(before, 'one');
  const { lease } = await claim(before, await worker(before));
  await leftBy(folder, here, lease);
  expect(await moveStore(before, after, there)).toMatchObject({ type: 'moved' });
  await finish(folder, after, there);
  expect(await after.task({ id: lease.taskId })).toMatchObject({ task: { state: 'done', result: 'all of it' } });
  expect(await endedRecords(folder.path)).toEqual([]);
});

it('drops what the store does not know any more, and says so; another store in its former place may know it', async () => {
  await using folder = await tempFolder();
  const [here, there] = [placeIn(folder, 'here.db'), placeIn(folder, 'there.db')];
  await using before = storeAt(here);
  await using after = storeAt(there);
  const pruned = { taskId: 't', attemptId: 'a', epoch: 1, workerId: 'w', incarnation: 1 };
  await leftBy(folder, there, pruned);
  await leftBy(folder, here, { ...pruned, attemptId: 'b' });
  expect(await moveStore(before, after, there)).toMatchObject({ type: 'moved' });
  expect(await finish(folder, after, there)).toEqual([expect.stringMatching(/^task t: .*does not know it any more$/)]);
  expect((await endedRecords(folder.path)).map(({ lease }) => lease.attemptId)).toEqual(['b']);
});

it('settles what was finished in a container that is gone once its worker is silent, before its task is taken', async () => {
  await using folder = await tempFolder();
  const clock = fakeClock(Date.UTC(2026, 10, 19));
  const here = placeIn(folder, 'here.db');
  await using store = storeAt(here, clock);
  await add(store, 'one');
  const { lease } = await claim(store, await worker(store));
  await leftBy(folder, here, lease, 'one#of-a-container.that-is-gone');
  const state = async () => {
    await finish(folder, store, here);
    const found = await store.task({ id: lease.taskId });
    return found.type === 'found' ? found.task.state : found.type;
  };
  expect(await state()).toBe('claimed');
  await clock.advance(DEFAULT_LEASE.fenceAfterMs - 1);
  expect(await state()).toBe('claimed');
  await clock.advance(1);
  expect(await state()).toBe('done');
  expect(await endedRecords(folder.path)).toEqual([]);
});
