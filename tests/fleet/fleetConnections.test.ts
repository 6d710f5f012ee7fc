import postgres from 'postgres';
import { expect, it } from 'vitest';
import { until } from '../support/fleetProject.ts';
import { startPostgres } from '../support/postgresServer.ts';
import { type TestProject, testProject } from '../support/project.ts';
import { sizeOf } from '../support/testSize.ts';

const FLEETS = 3;
const WORKERS = 10;
/** Of the server: fewer than the workers of all fleets. */
const MOST = 20;
/** More than workers, so that each of them has one after the other. */
const TASKS = sizeOf({ small: 36, full: 120 });
/** Of a fleet: two of the coordinator and one of the process of its slots, and one of each that listens. */
const MOST_PER_FLEET = 5;
const SETTLES = 'stopgate task complete "$STOPGATE_TASK_ID" --epoch "$STOPGATE_TASK_EPOCH" --result ok';

/** Each in a home of its own, so with a machine key of its own. */
async function fleets(url: string, script: string) {
  await using stack = new AsyncDisposableStack();
  const projects: TestProject[] = [];
  for (let n = 0; n < FLEETS; n++) projects.push(stack.use(await testProject()));
  const env = { STOPGATE_STORE: url };
  const [first] = projects;
  const tasks = Array.from({ length: TASKS }, (_, n) => `- [ ] task ${n}`).join('\n');
  await first?.run(['task', 'add'], { env, input: tasks });
  const running = projects.map((project, n) => {
    project.write('agent.sh', script);
    const words = ['fleet', 'up', '--json', '--ignore-load', '--name', `fleet${n}`, '-n', `${WORKERS}`];
    return project.start([...words, '--idle-timeout', '1m', '--agent', 'sh agent.sh'], { env });
  });
  const owned = stack.move();
  return {
    end: async () => {
      for (const { child } of running) child.kill('SIGTERM');
      return Promise.all(running.map(({ ended }) => ended));
    },
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}

it.each([
  ['settled by their exit codes', 'sleep 0.3', MOST_PER_FLEET * FLEETS],
  ['settled by commands of their own', SETTLES, MOST - 1],
])(
  `three fleets of ten workers share a server with ${MOST} connections: tasks %s`,
  async (_, script, most) => {
    const none = { superuser_reserved_connections: '0', max_wal_senders: '0' };
    await using server = await startPostgres({ more: { max_connections: String(MOST), ...none } });
    const sql = postgres(server.url, { max: 1, connection: { application_name: 'test' } });
    await sql`SELECT 1`;
    await using all = await fleets(server.url, script);
    let highest = 0;
    const count = async () => {
      const [row] = await sql`SELECT count(*)::int AS count FROM pg_stat_activity WHERE application_name = 'stopgate'`;
      highest = Math.max(highest, row?.count ?? 0);
      const [tasks] = await sql`SELECT count(*)::int AS count FROM stopgate.tasks WHERE state = 'done'`.catch(() => []);
      return tasks?.count === TASKS;
    };
    await until(async () => (await count()) || undefined);
    const [facts] = await sql`SELECT (SELECT count(DISTINCT worker_id)::int FROM stopgate.attempts) AS workers,
    (SELECT count(DISTINCT host)::int FROM stopgate.workers) AS hosts,
    (SELECT max(failures)::int FROM stopgate.tasks) AS failures, (SELECT max(epoch)::int FROM stopgate.tasks) AS epoch`;
    const errors = await sql`SELECT DISTINCT error FROM stopgate.attempts WHERE error IS NOT NULL LIMIT 5`;
    await sql.end();
    const ends = await all.end();
    const figures = JSON.stringify({ highest, ...facts, errors });
    process.stderr.write(`connections of three fleets: ${figures}\n`);
    expect(facts?.hosts, figures).toBe(FLEETS);
    // on a machine with too much to do, a command of an agent may get no connection in time: that costs one more attempt, and no result
    expect(Math.max(facts?.failures, facts?.epoch - 1), figures).toBeLessThanOrEqual(1);
    expect(highest, figures).toBeLessThanOrEqual(most);
    for (const { code, lines, stderr } of ends) {
      expect(code, stderr).toBe(0);
      const crashed = lines.filter(({ type, ending }) => type === 'ended' && ending === 'crashed');
      expect([crashed, lines.filter(({ type }) => type === 'resting' || type === 'hostResting')]).toEqual([[], []]);
    }
  },
  180_000,
);
