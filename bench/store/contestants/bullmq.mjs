import { randomUUID } from 'node:crypto';
import { createRequire } from 'node:module';
import path from 'node:path';
import { joinedLoop, warmUp } from '../pullLoop.mjs';

const BATCH = 10_000;

/** Its worker, polled for one job at a time; `place` is redis://… with the queue's name at its end. */
export async function open({ modules, place }) {
  const { Worker, IORedis } = load(modules);
  const { url, queue } = parse(place);
  const connection = new IORedis(url, { maxRetriesPerRequest: null });
  const worker = new Worker(queue, null, { connection, autorun: false, skipStalledCheck: true });
  await worker.waitUntilReady();
  const token = randomUUID();
  const claim = () => worker.getNextJob(token, { block: false });
  const complete = (job) => job.moveToCompleted('done', token, false);
  // as its own worker does
  const completeAndClaim = async (job) => {
    const [data, id] = (await job.moveToCompleted('done', token, true)) ?? [];
    return data ? worker.nextJobFromJobData(data, id, token) : undefined;
  };
  const close = async () => {
    await worker.close(true);
    connection.disconnect();
  };
  await warmUp({ claim, complete });
  const first = await claim();
  return { work: (order) => joinedLoop({ first, complete, completeAndClaim }, order), close };
}

export async function fill({ modules, place, count }) {
  const { Queue, IORedis } = load(modules);
  const { url, queue: name } = parse(place);
  const connection = new IORedis(url, { maxRetriesPerRequest: null });
  const queue = new Queue(name, { connection });
  const data = { title: 'Count the stars', body: 'All of them.' };
  for (let left = count; left > 0; left -= BATCH) {
    await queue.addBulk(Array.from({ length: Math.min(left, BATCH) }, () => ({ name: 'bench', data })));
  }
  await queue.close();
  connection.disconnect();
}

function load(modules) {
  const require = createRequire(path.join(modules, 'bench.cjs'));
  return { ...require('bullmq'), IORedis: require('ioredis') };
}

function parse(place) {
  const { origin, pathname } = new URL(place.replace(/^redis:/, 'http:'));
  return { url: origin.replace(/^http:/, 'redis:'), queue: pathname.slice(1) };
}
