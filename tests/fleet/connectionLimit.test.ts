import postgres from 'postgres';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { until } from '../support/fleetProject.ts';
import { type PostgresServer, startPostgres } from '../support/postgresServer.ts';
import { type TestProject, testProject } from '../support/project.ts';

/** Fewer than a coordinator and its workers would have. */
const MOST = 7;

let server: PostgresServer;
beforeAll(async () => {
  const none = { superuser_reserved_connections: '0', max_wal_senders: '0' };
  server = await startPostgres({ more: { max_connections: String(MOST), ...none } });
}, 60_000);
afterAll(() => server?.[Symbol.asyncDispose]());

/** Takes every connection, until it is released. */
async function takeAll() {
  const each = Array.from({ length: MOST }, () => postgres(server.url, { max: 1, idle_timeout: 60 }));
  // one of a process that has just ended may still be there
  for (const sql of each) await until(() => sql`SELECT 1`.then(() => true).catch(() => undefined));
  return { release: () => Promise.all(each.map((sql) => sql.end())) };
}

const there = () => ({ env: { STOPGATE_STORE: server.url } });
const run = (project: TestProject, ...args: string[]) => project.run(args, there());
const agent = ['--agent', "sh -c 'exit 0' sh"];

it('commands, workers and fleets wait for a free connection and say so', async () => {
  await using project = await testProject();
  await run(project, 'task', 'add', 'first');
  const taken = await takeAll();
  const list = project.start(['task', 'list'], there());
  const worker = project.start(['worker', 'run', '--idle-timeout', '20s', ...agent], there());
  const fleet = project.start(['fleet', 'up', '--ignore-load', '-n', '1', ...agent], there());
  await Promise.all([list, worker, fleet].map((one) => one.sees('has no connection left')));
  await taken.release();
  const listed = await list.ended;
  expect([listed.code, listed.stdout], listed.stderr).toEqual([0, expect.stringContaining('first')]);
  const sql = postgres(server.url, { max: 1 });
  // a command for every look would be most of what the machine has to do, and needs a connection, too
  await until(async () => {
    const [task] = await sql`SELECT state FROM stopgate.tasks`.catch(() => []);
    return task?.state === 'done';
  });
  await sql.end();
  for (const one of [worker, fleet]) one.child.kill('SIGTERM');
  expect([(await worker.ended).code, (await fleet.ended).code]).toEqual([0, 0]);
}, 60_000);

it('a fleet of more workers than connections does all its tasks, and no worker crashes', async () => {
  await using project = await testProject();
  const sql = postgres(server.url, { max: 1, connection: { application_name: 'test' } });
  await sql`SELECT 1`;
  const titles = Array.from({ length: 12 }, (_, n) => `- [ ] task ${n}`).join('\n');
  await project.run(['task', 'add', '--queue', 'many'], { ...there(), input: titles });
  const fleet = project.start(
    ['fleet', 'up', '--json', '--ignore-load', '-n', '4', '--queue', 'many', '--idle-timeout', '1m', ...agent],
    there(),
  );
  await until(async () => {
    const [row] =
      await sql`SELECT count(*)::int AS count FROM stopgate.tasks WHERE queue = 'many' AND state = 'done'`.catch(
        () => [],
      );
    return row?.count === 12;
  });
  const [row] = await sql`SELECT count(*)::int AS count FROM pg_stat_activity WHERE application_name = 'stopgate'`;
  expect(row?.count).toBeLessThan(MOST);
  await sql.end();
  fleet.child.kill('SIGTERM');
  const { code, lines, stderr } = await fleet.ended;
  expect([code, stderr]).toEqual([0, expect.not.stringContaining('at Object')]);
  const ends = lines.filter(({ type }) => type === 'ended').map(({ ending }) => ending);
  expect(ends.filter((ending) => ending === 'crashed')).toEqual([]);
  expect(lines.filter(({ type }) => type === 'resting' || type === 'hostResting')).toEqual([]);
}, 90_000);
