import path from 'node:path';
import { performance } from 'node:perf_hooks';
import postgres from 'postgres';
import { fillDone } from './fillDone.mjs';

/** What people and coordinators read; `status` is all that `fleet status` reads, `tick` all that a coordinator does each second. */
const READS = {
  status: ({ gather, home }, store) => gather(store, { stopgateHome: home }),
  'status --queue': ({ gather, home }, store) => gather(store, { stopgateHome: home, queue: 'default' }),
  'task list': (_library, store) => store.listTasks({ order: 'newest', limit: 100 }),
  'task list --dead': (_library, store) => store.listTasks({ statuses: ['dead'], order: 'newest', limit: 100 }),
  'tasks in work': (_library, store) =>
    store.listTasks({ statuses: ['ready', 'delayed', 'blocked', 'held', 'claimed', 'verifying'], limit: 200 }),
  events: (_library, store) => store.events({ newest: true, limit: 200 }),
  'task show': (_library, store) =>
    Promise.all([
      store.task({ id: 'bench-500' }),
      store.attempts({ taskId: 'bench-500' }),
      store.events({ taskId: 'bench-500' }),
    ]),
  tick: (_library, store) =>
    Promise.all([
      store.workers({}),
      store.launches({ withinMs: 3_600_000 }),
      store.accounts({}),
      store.readiness({ queue: 'default' }),
    ]),
};

export const READ_NAMES = Object.keys(READS);

/** The same reads of a small store and of a large one, in turns: a slow moment affects both. */
export async function measureReads({ kind, folder, server, ours, scenario, samples, print }) {
  const { openStore } = await import(ours.library);
  const { gatherFleetStatus: gather } = await import(ours.status);
  const stores = [];
  for (const size of scenario.doneSizes) {
    print(`filling ${kind} with ${size.toLocaleString('en')} done tasks`);
    const place =
      kind === 'SQLite' ? path.join(folder, `done-${size}.db`) : await createDatabase(server, `done_${size}`);
    await fillDone({ ...ours, place, count: size });
    stores.push({ size, store: await openStore(place, { connections: 2 }) });
  }
  for (let round = 0; round <= scenario.readRounds; round++) {
    for (const name of READ_NAMES) {
      for (const { size, store } of round % 2 === 0 ? stores : stores.toReversed()) {
        const startedAt = performance.now();
        await READS[name]({ gather, home: folder }, store);
        // round 0 pays for plans and caches
        if (round > 0) samples.add(`${kind} ${name} ${size}`, { ms: performance.now() - startedAt });
      }
    }
  }
  for (const { store } of stores) await store.close();
}

export async function createDatabase(server, name) {
  const sql = postgres(server.url, { max: 1, onnotice: () => {} });
  await sql.unsafe(`CREATE DATABASE ${name}`);
  await sql.end();
  return server.url.replace(/\/postgres$/, `/${name}`);
}
