import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { startPostgres } from '../tests/support/postgresServer.ts';
import { bundle } from './lib/ours.mjs';
import { installPeer } from './lib/peers.mjs';
import { measureCold } from './store/cold.mjs';
import { measureJit } from './store/jitCells.mjs';
import { measurePostgres } from './store/postgresCells.mjs';
import { measureRedis } from './store/redisCells.mjs';
import { storeGoals, storeNotes, storeRows } from './store/results.mjs';
import { collectSamples } from './store/samples.mjs';
import { FULL, QUICK } from './store/scenario.mjs';
import { measureSqlite } from './store/sqliteCells.mjs';

export const bench = {
  name: 'store',
  about: 'claim+complete a second at 1 and 16 processes, beside raw drivers, graphile-worker, pg-boss and BullMQ',
  run,
};

async function run({ quick }) {
  const scenario = quick ? QUICK : FULL;
  const samples = collectSamples();
  const ours = {
    library: await bundle('src/store/openStore.ts', 'openStore'),
    ids: await bundle('src/system/ids.ts', 'ids'),
  };
  const print = (line) => console.error(line);
  using place = temporaryFolder();
  const common = { folder: place.folder, ours, scenario, samples, print };
  await measureSqlite(common);
  print('cold processes');
  const store = path.join(place.folder, `ours-${scenario.sizes.at(1)}.db`);
  measureCold({ folder: place.folder, place: store, rounds: scenario.coldRounds, samples });
  const { contestants, missing } = await postgresContestants(ours);
  {
    await using server = await startPostgres();
    await measurePostgres({ ...common, server, contestants });
  }
  const jit = await measureJit(common);
  const redis = await measureRedis(common);
  const sides = redis.type === 'missing' ? contestants : [...contestants, redis.contestant];
  return {
    rows: storeRows({ scenario, samples, sides }),
    goals: storeGoals({ scenario, samples, sides }),
    notes: [...storeNotes({ scenario, samples }), ...missing, ...reasons([jit, redis])],
  };
}

const reasons = (measured) => measured.flatMap((one) => (one.type === 'missing' ? [one.reason] : []));

/** In this order: contestants that are compared for a goal come first and are neighbors. */
async function postgresContestants(ours) {
  const missing = [];
  const peerOf = async (name) => {
    const peer = await installPeer(name);
    if (peer.type !== 'missing') return [{ name, label: peer.label, setup: { modules: peer.modules } }];
    missing.push(peer.reason);
    return [];
  };
  const contestants = [
    { name: 'ours', label: 'stopgate', setup: { ...ours, joined: true } },
    ...(await peerOf('graphileWorker')),
    { name: 'oursApart', label: 'stopgate, two calls a task', setup: ours },
    ...(await peerOf('pgBoss')),
    { name: 'rawPostgres', label: 'plain SKIP LOCKED', setup: {} },
  ];
  return { contestants, missing };
}

/** On the same disk as PostgreSQL's. */
function temporaryFolder() {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'stopgate-bench-'));
  return { folder, [Symbol.dispose]: () => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }) };
}
