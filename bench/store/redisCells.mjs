import { installPeer } from '../lib/peers.mjs';
import { fill } from './contestants/bullmq.mjs';
import { startCrew } from './crew.mjs';
import { startRedis } from './redisServer.mjs';

/** BullMQ does not support PostgreSQL; the same sizes and processes on a Redis that syncs every write. */
export async function measureRedis({ folder, scenario, samples, print }) {
  await using server = await startRedisHere(folder);
  if (server.type === 'missing') return server;
  const peer = await installPeer('bullmq');
  if (peer.type === 'missing') return peer;
  const setup = { modules: peer.modules };
  const place = (size) => `${server.url}/bench-${size}`;
  for (const size of scenario.serverSizes) {
    print(`filling Redis with ${size.toLocaleString('en')} tasks`);
    await fill({ ...setup, place: place(size), count: size });
  }
  for (const count of [1, scenario.many]) {
    await using crew = await startCrew('bullmq', setup, count);
    // round 0 does not count, as with the others
    for (let round = 0; round <= scenario.serverRounds; round++) {
      print(`BullMQ, ${count} ${count === 1 ? 'process' : 'processes'}, round ${round} of ${scenario.serverRounds}`);
      for (const size of scenario.serverSizes) {
        const windowMs = count === 1 ? scenario.serverSingleMs : scenario.serverMs;
        const figures = await crew.measure(place(size), { count, windowMs });
        if (round > 0) samples.add(`postgres ${count} bullmq ${size}`, figures);
        await fill({ ...setup, place: place(size), count: figures.gone });
      }
    }
  }
  return { type: 'measured', contestant: { name: 'bullmq', label: `${peer.label} (Redis)` } };
}

async function startRedisHere(folder) {
  const server = await startRedis(folder);
  return server.type === 'missing' ? { ...server, [Symbol.asyncDispose]: async () => {} } : server;
}
