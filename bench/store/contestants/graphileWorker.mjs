import { createRequire } from 'node:module';
import path from 'node:path';
import postgres from 'postgres';

const TASK = 'bench';

/**
 * It polls for its jobs itself, so it is started before the measurement: with a first job that is done immediately, as for
 * every contestant, and a second that waits for the start. Default settings, except one job at a time per process.
 */
export async function open({ modules, place }) {
  const { run, Logger } = load(modules);
  const started = Promise.withResolvers();
  const taken = Promise.withResolvers();
  let jobs = 0;
  const handler = () => {
    jobs += 1;
    if (jobs === 1) return undefined;
    taken.resolve();
    return started.promise;
  };
  const logger = new Logger(() => () => {});
  const options = { connectionString: place, concurrency: 1, maxPoolSize: 2, noHandleSignals: true, logger };
  const runner = await run({ ...options, taskList: { [TASK]: handler } });
  // with few tasks, none may be left for the last process
  runner.events.on('worker:getJob:empty', () => taken.resolve());
  await taken.promise;
  return { work: (order) => work(runner, started, order), close: () => runner.stop() };
}

async function work({ events }, started, { msLeft, done }) {
  const ended = Promise.withResolvers();
  const onComplete = () => done(undefined);
  events.on('job:complete', onComplete);
  events.on('worker:getJob:empty', () => ended.resolve());
  const over = setTimeout(() => ended.resolve(), msLeft());
  started.resolve();
  await ended.promise;
  clearTimeout(over);
  events.off('job:complete', onComplete);
}

export async function fill({ modules, place, count }) {
  const { runMigrations } = load(modules);
  await runMigrations({ connectionString: place });
  const sql = postgres(place, { max: 1, fetch_types: false, onnotice: () => {} });
  await sql`SELECT count(*) FROM graphile_worker.add_jobs(ARRAY(
    SELECT json_populate_record(NULL::graphile_worker.job_spec, json_build_object('identifier', ${TASK}::text,
      'payload', json_build_object('title', 'Count the stars', 'body', 'All of them.')))
    FROM generate_series(1, ${count}::int)))`;
  await sql.end();
}

function load(modules) {
  return createRequire(path.join(modules, 'bench.cjs'))('graphile-worker');
}
