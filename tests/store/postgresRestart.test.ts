import { describe, expect, it } from 'vitest';
import { openStore } from '../../src/store/openStore.ts';
import type { Store } from '../../src/store/types.ts';
import { startPostgres } from '../support/postgresServer.ts';
import { cuttingProxy } from './support/cuttingProxy.ts';
import { opened } from './support/sqliteStores.ts';

it('a store whose server was away says so at once and answers soon after it is back, however often it was asked meanwhile', {
  timeout: 90_000,
}, async () => {
  await using server = await startPostgres();
  await using store = opened(await openStore(server.url, { connections: 2 }));
  await store.counts();
  await server.stop('crash');
  const askedAt = performance.now();
  for (let asked = 0; asked < 9; asked++) {
    expect(await store.counts()).toMatchObject({ type: 'unavailable', cause: 'unreachable' });
  }
  // the driver alone waits longer before each further look, up to 20 s
  expect(performance.now() - askedAt).toBeLessThan(6_000);
  await server.start();
  const backAt = performance.now();
  expect(await store.counts()).toMatchObject({ type: 'counts' });
  expect(performance.now() - backAt).toBeLessThan(2_000);
});

describe('a connection that is lost in the middle of an answer has no part in the next one', () => {
  const next: Readonly<Record<string, (store: Store) => Promise<void>>> = {
    'an operation': async (store) => expect(await store.counts()).toMatchObject({ type: 'counts' }),
    'an export': async (store) => {
      const tables: string[] = [];
      for await (const { table } of store.exportAll()) tables.push(table);
      expect(tables).toEqual(expect.arrayContaining(['meta', 'tasks', 'events']));
    },
    'an import into a store that is not empty': async (store) => {
      const outcome = await store.importAll((async function* () {})());
      expect(outcome).toEqual({ type: 'refused', reason: 'notEmpty' });
    },
  };

  for (const [name, ask] of Object.entries(next)) {
    it(name, { timeout: 60_000 }, async () => {
      await using server = await startPostgres();
      await using proxy = await cuttingProxy(server.url);
      await using store = opened(await openStore(proxy.url, { connections: 1 }));
      await store.addTasks({ tasks: [{ title: 'one' }] });
      proxy.cutAfterNextRow();
      expect(await store.counts()).toMatchObject({ type: 'unavailable', cause: 'unreachable' });
      await ask(store);
    });
  }
});
