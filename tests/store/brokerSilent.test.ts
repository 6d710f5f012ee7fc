import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, it } from 'vitest';
import { openStore } from '../../src/store/openStore.ts';
import type { Store } from '../../src/store/types.ts';
import { available } from '../../src/store/unavailable.ts';
import { addOne } from '../../src/testing/storeContract/steps.ts';
import { tempFolder } from '../../src/testing/tempFolder.ts';
import { servingProcess } from './support/rawClient.ts';
import { opened } from './support/sqliteStores.ts';

/** Longer than a client waits for an answer, shorter than it waits for the file's lock. */
const SILENT_MS = 4_000;

const sleep = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

/** The client gives up waiting and does it at the file, and so does the broker when it gets the lock. */
async function whileLocked<Result>(file: string, act: () => Promise<Result>): Promise<Result> {
  const other = new DatabaseSync(file);
  other.exec('BEGIN IMMEDIATE');
  const acting = act();
  await sleep(SILENT_MS);
  other.exec('COMMIT');
  other.close();
  return acting;
}

const eventsOf = async (store: Store, kind: string) =>
  available(await store.events({ limit: 1_000 })).events.filter((event) => event.kind === kind).length;

/** Until the broker has served a request that was sent after the late ones. */
async function caughtUp(file: string): Promise<void> {
  const later = opened(await openStore(file));
  await later.about();
  await later.close();
}

describe.concurrent('a broker that is silent for longer than its clients wait', () => {
  it('performs what a client gave up and did itself only once, when the file was locked', async () => {
    await using folder = await tempFolder();
    const file = path.join(folder.path, 'x.db');
    await using _serving = await servingProcess(file);
    await using client = opened(await openStore(file));
    const registered = await whileLocked(file, () => client.registerWorker({ workerId: 'w1' }));
    await caughtUp(file);
    expect(registered).toEqual({ type: 'registered', incarnation: 1 });
    expect(available(await client.workers()).workers).toMatchObject([{ id: 'w1', incarnation: 1, state: 'live' }]);
    expect(await eventsOf(client, 'worker.registered')).toBe(1);
  }, 30_000);

  it('does not undo later what a person did meanwhile, when it was stopped', async () => {
    await using folder = await tempFolder();
    const file = path.join(folder.path, 'x.db');
    await using serving = await servingProcess(file);
    await using client = opened(await openStore(file));
    const id = await addOne(client, 'one');
    serving.child.kill('SIGSTOP');
    const [registered, held] = await Promise.all([
      client.registerWorker({ workerId: 'w1' }),
      client.hold({ taskId: id, reason: 'which API?' }),
    ]);
    await client.unhold({ taskId: id });
    serving.child.kill('SIGCONT');
    await caughtUp(file);
    expect([registered, held.type]).toEqual([{ type: 'registered', incarnation: 1 }, 'changed']);
    expect(available(await client.workers({ workerId: 'w1' })).workers[0]).toMatchObject({ incarnation: 1 });
    expect(available(await client.task({ id }))).toMatchObject({ task: { holdReason: null } });
    expect(await eventsOf(client, 'task.held')).toBe(1);
  }, 30_000);
});
