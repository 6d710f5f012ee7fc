import { describe, expect, it } from 'vitest';
import { leaseOf } from '../../src/store/leaseOf.ts';
import { openStore } from '../../src/store/openStore.ts';
import type { Store } from '../../src/store/types.ts';
import { available } from '../../src/store/unavailable.ts';
import { add, REAP } from '../../src/testing/storeContract/steps.ts';
import { tempFolder } from '../../src/testing/tempFolder.ts';
import { startPostgres } from '../support/postgresServer.ts';
import { sizeOf } from '../support/testSize.ts';
import { opened } from './support/sqliteStores.ts';
import { type StoreProcess, storeProcesses } from './support/storeProcesses.ts';

const KEYS = ['repo:web', 'repo:api'];
const LIMIT = 2;
const CLAIMERS = 16;
const ROUNDS = sizeOf({ small: 4, full: 6 });

/** Two keys with many tasks each, in two queues, and some tasks without a key between them. */
async function fill(store: Store): Promise<void> {
  const tasks = Array.from({ length: 60 }, (_, n) => ({
    title: `t${n}`,
    queue: n % 4 === 0 ? 'other' : 'default',
    maxReclaims: 1_000,
    backoffMs: 0,
    ...(n % 10 !== 0 && { concurrencyKey: KEYS[n % 2], concurrencyLimit: LIMIT }),
  }));
  await add(store, ...tasks);
}

async function assertWithin(store: Store): Promise<number> {
  const { keys } = available(await store.limits());
  for (const { key, inProgress } of keys) expect(inProgress, key).toBeLessThanOrEqual(LIMIT);
  return keys.reduce((sum, { inProgress }) => sum + inProgress, 0);
}

/** All claim at once; then some complete, some are killed while they complete or claim, and what they had is taken back. */
async function race(store: Store, start: () => Promise<StoreProcess>): Promise<number> {
  let processes = await Promise.all(Array.from({ length: 4 }, start));
  let most = 0;
  for (let round = 0; round < ROUNDS; round++) {
    const claims = Array.from({ length: CLAIMERS }, async (_, n) => {
      const workerId = `w${n}`;
      const registered = await store.registerWorker({ workerId });
      if (registered.type !== 'registered') return undefined;
      const request = { workerId, incarnation: registered.incarnation, claimKey: `${round}-${n}` };
      return {
        workerId,
        incarnation: registered.incarnation,
        request: { ...request, queue: n % 4 === 0 ? 'other' : 'default' },
      };
    });
    const crew = (await Promise.all(claims)).filter((one) => one !== undefined);
    // one question at a time to each process, four processes at once; a kill in the middle of a claim
    const victim = processes[round % processes.length] as StoreProcess;
    await Promise.all(
      processes.map(async (one, at) => {
        const own = crew.filter((_, n) => n % processes.length === at);
        for (const { request } of own.slice(0, one === victim ? 1 : own.length)) await one.ask('claim', request);
        if (one === victim && own[1]) await one.dieAfter('claim', own[1].request);
      }),
    );
    most = Math.max(most, await assertWithin(store));
    processes = await Promise.all(processes.map((one) => (one === victim ? start() : one)));
    for (const [n, { workerId, incarnation }] of crew.entries()) {
      const [found] = available(await store.workers({ workerId })).workers;
      const lease = found ? leaseOf(found) : null;
      if (lease && n % 3 === 0) await store.reap({ workerId, incarnation, ...REAP });
      else if (lease) await store.complete({ lease, result: 'x' });
    }
    await assertWithin(store);
  }
  return most;
}

describe('at most two tasks of a key are in progress, with 16 claimers and kills', () => {
  it('on SQLite', { timeout: 60_000 }, async () => {
    await using folder = await tempFolder();
    const file = `${folder.path}/x.db`;
    await using store = opened(await openStore(file));
    await fill(store);
    await using crew = await storeProcesses(folder.path, file);
    expect(await race(store, crew.start)).toBe(KEYS.length * LIMIT);
  });

  it('on PostgreSQL', { timeout: 60_000 }, async () => {
    await using folder = await tempFolder();
    await using server = await startPostgres();
    await using store = opened(await openStore(server.url, { connections: 2 }));
    await fill(store);
    await using crew = await storeProcesses(folder.path, server.url);
    expect(await race(store, crew.start)).toBe(KEYS.length * LIMIT);
  });
});
