import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { pullLoop, warmUp } from '../pullLoop.mjs';

const QUEUE = 'bench';
const BATCH = 10_000;

/** Its fetch and complete, one job at a time; its other work (schedules, maintenance) is off. */
export async function open({ modules, place }) {
  const boss = await start(modules, place);
  const claim = async () => (await boss.fetch(QUEUE))[0];
  const complete = ({ id }) => boss.complete(QUEUE, id, { result: 'done' });
  await warmUp({ claim, complete });
  return { work: (order) => pullLoop({ claim, complete }, order), close: () => boss.stop({ graceful: false }) };
}

export async function fill({ modules, place, count }) {
  const boss = await start(modules, place);
  await boss.createQueue(QUEUE);
  const data = { title: 'Count the stars', body: 'All of them.' };
  for (let left = count; left > 0; left -= BATCH) {
    await boss.insert(
      QUEUE,
      Array.from({ length: Math.min(left, BATCH) }, () => ({ data })),
    );
  }
  await boss.stop({ graceful: false });
}

async function start(modules, connectionString) {
  const { PgBoss } = await import(pathToFileURL(path.join(modules, 'pg-boss', 'dist', 'index.js')));
  const boss = new PgBoss({ connectionString, max: 1, supervise: false, schedule: false });
  boss.on('error', (error) => console.error(error.message));
  await boss.start();
  return boss;
}
