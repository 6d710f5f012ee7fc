import { existsSync } from 'node:fs';
import path from 'node:path';
import postgres from 'postgres';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openStore } from '../../src/store/openStore.ts';
import { attempt } from '../../src/system/attempt.ts';
import { opened } from '../store/support/sqliteStores.ts';
import { clockShim, whyNoShim } from '../support/clockShim.ts';
import { until } from '../support/fleetProject.ts';
import { type PostgresServer, startPostgres } from '../support/postgresServer.ts';
import { type TestProject, testProject } from '../support/project.ts';
import { sampleOf } from '../support/testSize.ts';

const HOUR = 3_600_000;
const BUDGET_MS = 6_000;

/** How far a machine's clock is from the server's, and what it is set to while its workers work. A file has its machine's. */
const CLOCKS = [
  ['two hours ahead, then set back by an hour', 'postgres', 2 * HOUR, HOUR],
  ['two hours behind, then set forward by an hour', 'postgres', -2 * HOUR, -HOUR],
  ['set forward by an hour', 'sqlite', 0, HOUR],
  ['set back by an hour', 'sqlite', 0, -HOUR],
] as const;

/** Does what its task is called, and changes nothing in its folder: a task with progress gets more time. */
const AGENT = `case "$1" in
  *slow*) touch "$HOME/slow.running"; exec sleep 60;;
  *held*) [ -e "$HOME/held.running" ] || { touch "$HOME/held.running"; exec sleep 60; };;
  *fails*) exit 1;;
esac
`;

/** A machine of its own, whose processes all see a clock that this test can set. */
async function machine(store: string | undefined) {
  const project = await testProject();
  const shim = clockShim(project.home);
  project.write('agent.sh', AGENT);
  const place = store ?? path.join(project.home, 'tasks.db');
  const env = { ...shim.env, STOPGATE_STORE: place };
  const start: TestProject['start'] = (args) => project.start(args, { env });
  const run = (...args: string[]) => start(args).ended;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into it freely
  const json = async (...args: string[]): Promise<any> => JSON.parse((await run(...args, '--json')).stdout);
  const add = async (...args: string[]) => (await run('task', 'add', ...args)).stdout.trim();
  // only to wait: a command for every look would be most of what the machine has to do
  const watched = opened(await openStore(place));
  const task = async (id: string) => {
    const found = await watched.task({ id });
    if (found.type !== 'found') throw new Error(JSON.stringify(found));
    return found.task;
  };
  const up = (...args: string[]) =>
    start([
      'fleet',
      'up',
      '--json',
      '--ignore-load',
      '--slots',
      '1',
      '--agent',
      'sh agent.sh',
      '--idle-timeout',
      '1m',
      ...args,
    ]);
  const dispose = async () => {
    // coordinators first, since they would start new ones
    const { workers } = await json('worker', 'list');
    await watched.close();
    await project[Symbol.asyncDispose]();
    for (const { pid } of workers) attempt(() => process.kill(-pid, 'SIGKILL'), false);
  };
  return { project, run, json, task, add, up, setClock: shim.setTo, [Symbol.asyncDispose]: dispose };
}

type Machine = Awaited<ReturnType<typeof machine>>;

// biome-ignore lint/suspicious/noExplicitAny: tests look into it freely
const settled = async ({ json, task }: Machine, id: string): Promise<any> => {
  await until(async () => ['done', 'dead'].includes((await task(id)).state));
  return json('task', 'show', id);
};

const lastingMs = ({ claimedAt, endedAt }: { claimedAt: number; endedAt: number }) => endedAt - claimedAt;

describe.skipIf(whyNoShim !== null)(`a fleet on a machine with another time (left out: ${whyNoShim})`, () => {
  let server: PostgresServer;
  let databases = 0;
  beforeAll(async () => {
    server = await startPostgres();
  }, 60_000);
  afterAll(() => server?.[Symbol.asyncDispose]());
  const database = async () => {
    const name = `clocks${++databases}`;
    const sql = postgres(server.url, { max: 1 });
    await sql.unsafe(`CREATE DATABASE ${name}`);
    await sql.end();
    return server.url.replace(/postgres$/, name);
  };

  const isInSample = ([name]: (typeof CLOCKS)[number]) => /^two hours ahead|^set forward/.test(name);
  it.concurrent.each(sampleOf(CLOCKS, isInSample))(
    '%s keeps budgets and backoffs, and judges on (%s)',
    async (_name, kind, before, after) => {
      await using here = await machine(kind === 'postgres' ? await database() : undefined);
      here.setClock(before);
      const slow = await here.add('slow', '--time-budget', `${BUDGET_MS / 1_000}s`, '--max-failures', '1');
      const held = await here.add('held');
      const fails = await here.add('fails', '--max-failures', '2');
      const fleet = here.up('-n', '3');
      await until(() => ['slow', 'held'].every((name) => existsSync(path.join(here.project.home, `${name}.running`))));
      await until(async () => (await here.task(fails)).failures === 1);
      here.setClock(after);
      // a coordinator that judges gives its task to another worker
      process.kill(await workerOf(here, held), 'SIGKILL');
      const [timedOut, lost, failed] = await Promise.all([slow, held, fails].map((id) => settled(here, id)));
      expect(timedOut.attempts).toMatchObject([{ state: 'timed_out' }]);
      expect(lastingMs(timedOut.attempts[0])).toBeGreaterThanOrEqual(BUDGET_MS);
      expect(lastingMs(timedOut.attempts[0])).toBeLessThan(BUDGET_MS + 15_000);
      expect([lost.task.state, lost.task.reclaims]).toEqual(['done', 1]);
      const [first, second] = failed.attempts;
      // ten seconds, give or take half of it
      expect(second.claimedAt - first.endedAt).toBeGreaterThanOrEqual(5_000);
      expect(second.claimedAt - first.endedAt).toBeLessThan(40_000);
      expect(failed.task).toMatchObject({ state: 'dead', failures: 2, reclaims: 0 });
      fleet.child.kill('SIGTERM');
      const { lines } = await fleet.ended;
      expect(lines.filter(({ type }) => type === 'suspect' || type === 'stalled' || type === 'slept')).toEqual([]);
    },
    120_000,
  );

  const AGES = [
    ['ahead of', 13 * HOUR],
    ['behind', -13 * HOUR],
  ] as const;
  it.each(sampleOf(AGES, ([where]) => where === 'ahead of'))(
    'a machine %s its store shows what the store has by the age that it has there',
    async (_name, ms) => {
      await using at = await machine(undefined);
      const before = await at.add('before');
      at.setClock(ms);
      const { tasks } = await at.json('task', 'list');
      expect(tasks).toMatchObject([{ id: before }]);
      await at.run('task', 'cancel', before);
      const { tasks: settled } = await at.json('report', '--since', '10m');
      expect(settled).toEqual([{ what: 'cancelled', count: 1 }]);
      const up = at.up('--name', 'f');
      await up.sees('"leading"');
      const { coordinators, now } = await at.json('fleet', 'status');
      expect(Math.abs(now - coordinators[0].startedAt)).toBeLessThan(HOUR);
      up.child.kill('SIGTERM');
      await up.ended;
    },
    60_000,
  );
});

/** The process of the worker that has a task. */
async function workerOf({ json }: Machine, id: string): Promise<number> {
  const { workers } = await json('worker', 'list');
  return workers.find(({ taskId }: { taskId: string }) => taskId === id).pid;
}
