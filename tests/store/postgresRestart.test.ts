import { expect, it } from 'vitest';
import { openStore } from '../../src/store/openStore.ts';
import { startPostgres } from '../../src/testing/postgresServer.ts';
import { opened } from './support/sqliteStores.ts';

it('a store whose server was away says so at once and answers soon after it is back, however often it was asked meanwhile', {
  timeout: 90_000,
}, async () => {
  await using server = await startPostgres();
  await using store = opened(await openStore(server.url, { defaultPath: '', connections: 2 }));
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
