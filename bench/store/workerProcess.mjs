// One worker of a contestant, in its own process: node workerProcess.mjs CONTESTANT JSON. Controlled over IPC.
import { performance } from 'node:perf_hooks';

const [contestant, setup] = process.argv.slice(2);
const { open, serve } = await import(`./contestants/${contestant}.mjs`);
const options = JSON.parse(setup);
let worker;

/** Comparable between processes, and finer than Date.now(). */
const now = () => performance.timeOrigin + performance.now();

const commands = {
  open: async ({ place, number }) => {
    worker = await open({ ...options, place, number });
    return worker.before ?? 1;
  },
  /** Keeps the store open for other processes, in the contestant's own way. */
  serve: async ({ place }) => {
    worker = await serve({ ...options, place });
  },
  /** From a start time that all workers share, or immediately. */
  work: async ({ startAt = now(), windowMs }) => {
    const claims = [];
    let lastAt = startAt;
    const endAt = startAt + windowMs;
    if (startAt > now()) await new Promise((resolve) => setTimeout(resolve, startAt - now()));
    await worker.work({
      isOver: () => now() >= endAt,
      msLeft: () => endAt - now(),
      done: (claimMs) => {
        claims.push(claimMs);
        lastAt = now();
      },
    });
    return { count: claims.length, ms: lastAt - startAt, claims: claims.filter((ms) => ms !== undefined) };
  },
  close: async () => {
    await worker.close();
    worker = undefined;
  },
};

process.on('message', async ({ command, ...rest }) => {
  try {
    process.send({ result: (await commands[command](rest)) ?? null });
  } catch (error) {
    process.send({ error: `${contestant}: ${error.stack ?? error}` });
  }
});
// the bench has ended, so the answer is not needed
process.on('disconnect', () => process.exit());
process.send({ result: 'started' });
