import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import postgres from 'postgres';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { clockShim, whyNoShim } from '../support/clockShim.ts';
import { until } from '../support/fleetProject.ts';
import { type PostgresServer, startPostgres } from '../support/postgresServer.ts';
import { type TestProject, testProject } from '../support/project.ts';
import { IS_LONG, sampleOf } from '../support/testSize.ts';

const ROOT = path.join(import.meta.dirname, '../..');
const COUNTDOWN = path.join(ROOT, 'profiles/default/hooks/budget-countdown.sh');
const LANDING = path.join(ROOT, 'profiles/default/hooks/landing.sh');
const HOOK = path.join(ROOT, 'dist/hook.cjs');
const HOUR = 3_600_000;
const WAYS = [
  ['back', -HOUR],
  ['forward', HOUR],
] as const;

/** A project whose processes all see a clock that this test can set. */
async function project(answer?: Parameters<typeof testProject>[0]) {
  const made = await testProject(answer);
  const shim = clockShim(made.home);
  const start: TestProject['start'] = (args, options = {}) =>
    made.start(args, { ...options, env: { ...shim.env, ...options.env } });
  const run = (...args: string[]) => start(args).ended;
  const json = async (...args: string[]) => JSON.parse((await run(...args, '--json')).stdout);
  return { ...made, start, json, shimmed: run, setClock: shim.setTo };
}

const note = (way: string) => new RegExp(`the machine's clock was set ${way} by 1h; the time left is unchanged`, 'g');

// each has a project and a clock of its own, and mostly waits
const TITLE = `the machine's clock is set while it runs (left out: ${whyNoShim})`;
describe.skipIf(whyNoShim !== null)(TITLE, { concurrent: true }, () => {
  describe.each(WAYS)('%s by an hour', (way, byMs) => {
    it('a launch has the time it was given', async () => {
      await using made = await project();
      const agent = ['--agent', "sh -c 'echo ready; exec sleep 60' sh"];
      const launch = made.start(['launch', '--time-budget', '4s', '--grace', '1s', '--json', ...agent, '--', 'x']);
      await launch.sees('ready');
      made.setClock(byMs);
      const { lines, stderr, code } = await launch.ended;
      const report = lines.at(-1);
      expect([code, report.how], stderr).toEqual([124, 'expired']);
      // the end is on a whole second
      expect(report.usedMs).toBeGreaterThan(3_900);
      expect(report.usedMs).toBeLessThan(15_000);
      expect(stderr.match(note(way))).toHaveLength(2);
      expect(report.notes.join('\n').match(note(way))).toHaveLength(1);
    }, 40_000);

    it('its hooks count on, and its record has the new end', async () => {
      await using made = await project();
      const said = (call: string) => `echo "{}" | ${call} | tr -d "\\n"; echo`;
      const calls = [`${COUNTDOWN} PostToolBatch`, `"${process.execPath}" ${HOOK} post-tool-batch`]
        .map(said)
        .join('\n');
      const cat = 'cat "$HOME"/.stopgate/launches/*.json';
      const lateBash = `echo '{"tool_name":"Bash","tool_input":{"command":"sleep 900"}}' | ${LANDING} "${process.execPath}"`;
      const script = `${calls}\n${cat}\necho ready\nwhile [ ! -e go ]; do sleep 0.05; done\n${calls}\n${lateBash}\n${cat}\n`;
      made.write('agent.sh', script);
      const launch = made.start(['launch', '--time-budget', '20m', '--json', '--agent', 'sh agent.sh', '--', 'x']);
      await launch.sees('ready');
      const before = recordIn(made.home);
      made.setClock(byMs);
      await launch.sees('the time left is unchanged');
      // the sentence comes before the record
      await until(() => recordIn(made.home) !== before);
      made.write('go', '');
      const { stdout, stderr } = await launch.ended;
      expect(stdout.match(/BUDGET: (?:20m00|19m[45]\d)s remaining/g), stdout + stderr).toHaveLength(4);
      expect(stdout.match(/permissionDecision/g)).toBeNull();
      const ends = [...stdout.matchAll(/"endAt":"([^"]+)"/g)].map(([, at]) => Date.parse(at as string));
      expect(ends).toHaveLength(2);
      expect(Math.abs((ends[1] as number) - (ends[0] as number) - byMs)).toBeLessThan(100);
      expect(stderr.match(note(way))).toHaveLength(2);
    }, 40_000);

    // by the record of the launch, as its hooks are
    it.skipIf(way === 'forward' && !IS_LONG)(
      'our own agent is told the same time',
      async () => {
        let asked = 0;
        let last = '';
        await using made = await project((body) => {
          asked += 1;
          last = JSON.stringify(body);
          const command = asked === 1 ? 'true' : 'touch ready; while [ ! -e go ]; do sleep 0.05; done';
          return asked > 2 ? { text: 'done' } : { tools: [{ name: 'Bash', input: { command } }] };
        });
        const words = ['-p', 'x', '--permission-mode', 'bypassPermissions'];
        const launch = made.start(['launch', '--time-budget', '20m', '--agent', 'stopgate', '--', ...words]);
        await until(async () => exists(made, 'ready'));
        made.setClock(byMs);
        made.write('go', '');
        const { stderr } = await launch.ended;
        expect(new Set(last.match(/BUDGET: (?:20m00|19m[345]\d)s remaining/g)).size, stderr).toBeGreaterThan(0);
        expect(last).not.toMatch(/BUDGET EXPIRED|BUDGET: (?!20m00|19m)/);
      },
      40_000,
    );
  });

  describe.each(['sqlite', 'postgres'] as const)('%s', (kind) => {
    let server: PostgresServer | undefined;
    let databases = 0;
    beforeAll(async () => {
      if (kind === 'postgres') server = await startPostgres();
    }, 60_000);
    afterAll(() => server?.[Symbol.asyncDispose]());
    const storeOf = async (made: TestProject) => {
      if (server === undefined) return path.join(made.home, 'tasks.db');
      const name = `clock${++databases}`;
      const sql = postgres(server.url, { max: 1 });
      await sql.unsafe(`CREATE DATABASE ${name}`);
      await sql.end();
      return server.url.replace(/postgres$/, name);
    };

    // sqlite has both ways in every run
    it.each(sampleOf(WAYS, ([way]) => kind === 'sqlite' || way === 'back'))(
      'a worker gives a task its time when the clock is set %s',
      async (_way, byMs) => {
        await using made = await project();
        const store = ['--store', await storeOf(made)];
        const options = ['--time-budget', '4s', '--max-failures', '1'];
        const id = (await made.shimmed('task', 'add', 'slow', ...options, ...store)).stdout.trim();
        const agent = ['--agent', "sh -c 'echo started; exec sleep 60' sh"];
        const worker = made.start(['worker', 'run', '--slot', 'w', '--idle-timeout', '2s', ...agent, ...store]);
        await worker.sees('started');
        made.setClock(byMs);
        const { stderr } = await worker.ended;
        const { task, attempts } = await made.json('task', 'show', id, ...store);
        expect(task, stderr).toMatchObject({ state: 'dead', failures: 1 });
        expect(attempts[0].state).toBe('timed_out');
        const lasted = attempts[0].endedAt - attempts[0].claimedAt;
        expect(lasted).toBeGreaterThanOrEqual(4_000);
        expect(lasted).toBeLessThan(20_000);
      },
      60_000,
    );

    it.each(sampleOf(WAYS, ([way]) => kind === 'sqlite' || way === 'forward'))(
      'a backoff keeps its length and a heartbeat its age when the clock is set %s',
      async (_way, byMs) => {
        await using made = await project();
        const store = ['--store', await storeOf(made)];
        const at = async (...args: string[]) => (await made.shimmed(...args, ...store)).stdout.trim();
        const id = await at('task', 'add', 'fails');
        const own = ['--worker', 'w'];
        await at('task', 'claim', ...own);
        expect(await at('task', 'fail', id, '--error', 'x', '--retry-after', '50s', ...own)).toMatch(
          /again in (50|49)s/,
        );
        made.setClock(byMs);
        const listed = await made.json('task', 'list', ...store);
        const [task] = listed.tasks;
        expect(task.status).toBe('delayed');
        const { workers, now } = await made.json('worker', 'list', ...store);
        expect(task.runAt - now).toBeGreaterThan(20_000);
        expect(task.runAt - now).toBeLessThanOrEqual(50_000);
        expect(now - workers[0].heartbeatAt).toBeGreaterThanOrEqual(0);
        expect(now - workers[0].heartbeatAt).toBeLessThan(30_000);
        // a time of day is one of this machine's clock
        const inTen = new Date(Date.now() + byMs + 600_000).toISOString();
        const later = await at('task', 'add', 'later', '--at', inTen);
        const { task: planned } = await made.json('task', 'show', later, ...store);
        expect(Math.abs(planned.runAt - planned.createdAt - 600_000)).toBeLessThan(20_000);
      },
      60_000,
    );
  });
});

/** The only launch of a home. */
function recordIn(home: string): string {
  const folder = path.join(home, '.stopgate/launches');
  const files = readdirSync(folder).filter((name) => name.endsWith('.json'));
  return files.map((name) => readFileSync(path.join(folder, name), 'utf8')).join('\n');
}

async function exists(made: Pick<TestProject, 'dir'>, file: string): Promise<true | undefined> {
  try {
    readFileSync(path.join(made.dir, file));
    return true;
  } catch {
    return undefined;
  }
}
