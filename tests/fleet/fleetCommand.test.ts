import postgres from 'postgres';
import { describe, expect, it } from 'vitest';
import { databaseOfThisFile } from '../store/support/postgresStores.ts';
import { fleetProject as defaultProject, type FleetProject, until } from '../support/fleetProject.ts';
import { isAlive } from '../support/project.ts';
import { IS_LONG, sampleOf } from '../support/testSize.ts';

/** Each fleet has a home and a store of its own, and mostly waits. */
const APART = { timeout: 120_000, concurrent: true };

const database = databaseOfThisFile();
let databases = 0;

/** Each in a database of its own. */
async function postgresProject(): Promise<FleetProject> {
  const sql = postgres(database.server.url, { max: 1, fetch_types: false });
  const name = `fleet_${++databases}`;
  await sql.unsafe(`CREATE DATABASE ${name}`);
  await sql.end();
  return defaultProject({ place: database.server.url.replace(/[^/]*$/, name) });
}

const STORES = [
  ['SQLite', defaultProject],
  ['PostgreSQL', postgresProject],
] as const;

/** What each does the same way with any store, which the contract of the stores holds; on both in `npm run test:long`. */
const ANY_STORE = IS_LONG ? STORES : STORES.slice(0, 1);

describe.each(STORES)('on %s, stopgate fleet up', APART, (_, fleetProject) => {
  const anyStore = it.runIf(ANY_STORE.some(([, open]) => open === fleetProject));

  anyStore('starts workers for tasks, completes each once, and stops idle workers', async () => {
    await using fleet = await fleetProject();
    const up = fleet.up('-n', '3', '--idle-timeout', '1s');
    await up.sees('"leading"');
    const names = Array.from({ length: 6 }, (_unused, index) => `t${index}`);
    const ids = await fleet.add(...names.map((name) => `quick ${name}`));
    await until(async () => (await Promise.all(ids.map(fleet.task))).every(({ state }) => state === 'done'));
    await until(async () => (await fleet.workers()).every(({ state }) => state === 'stopped'));
    expect([...fleet.lines('done.log')].toSorted()).toEqual(names.toSorted());
    expect((await fleet.workers()).length).toBeLessThanOrEqual(3);
    up.child.kill('SIGTERM');
    const end = await up.ended;
    expect(end).toMatchObject({ code: 0, signal: null });
    expect(end.lines.at(-1)).toMatchObject({ type: 'down', left: [] });
  });

  anyStore(
    'that got kill -9 leaves its workers alone, and the next one adopts them and starts no doubles',
    async () => {
      await using fleet = await fleetProject();
      const ids = await fleet.add('hold a', 'hold b');
      const first = fleet.up('-n', '2');
      const agents = await Promise.all([fleet.agentOf('a'), fleet.agentOf('b')]);
      first.child.kill('SIGKILL');
      await first.ended;
      expect(agents.map(isAlive)).toEqual([true, true]);
      const second = fleet.up('-n', '2');
      await second.sees('"adopted"');
      await fleet.add('quick c');
      fleet.letGo('a');
      fleet.letGo('b');
      await until(() => fleet.lines('done.log').length === 3);
      expect((await fleet.workers()).map(({ incarnation }) => incarnation)).toEqual([1, 1]);
      expect(await Promise.all(ids.map(fleet.task))).toMatchObject([
        { state: 'done', epoch: 1 },
        { state: 'done', epoch: 1 },
      ]);
      second.child.kill('SIGTERM');
      const end = await second.ended;
      expect(end.code).toBe(0);
      expect(end.lines.filter(({ type }) => type === 'started')).toEqual([]);
    },
  );

  it('run twice has one leader, and the other takes over when it is killed', async () => {
    await using fleet = await fleetProject();
    const first = fleet.up('-n', '2');
    await first.sees('"leading"');
    const second = fleet.up('-n', '2');
    await second.sees('"following"');
    await fleet.add('hold a', 'hold b', 'quick c', 'quick d');
    await Promise.all([fleet.agentOf('a'), fleet.agentOf('b')]);
    first.child.kill('SIGKILL');
    await second.sees('"leading"');
    fleet.letGo('a');
    fleet.letGo('b');
    await until(() => fleet.lines('done.log').length === 4);
    expect([...fleet.lines('done.log')].toSorted()).toEqual(['a', 'b', 'c', 'd']);
    expect(await fleet.workers()).toHaveLength(2);
    second.child.kill('SIGTERM');
    expect(await second.ended).toMatchObject({ code: 0 });
  });
});

describe.each(ANY_STORE)('on %s, the workers of stopgate fleet up', APART, (_, fleetProject) => {
  it('has the task of a worker that got kill -9 finished by its replacement, with the old agent gone first', async () => {
    await using fleet = await fleetProject();
    const [id = ''] = await fleet.add('hold a');
    const up = fleet.up('-n', '1');
    const agent = await fleet.agentOf('a');
    const [worker] = await fleet.workers();
    process.kill(worker?.pid ?? 0, 'SIGKILL');
    await up.sees('"reclaimed"');
    expect(isAlive(agent)).toBe(false);
    expect(await fleet.task(id)).toMatchObject({ reclaims: 1 });
    await until(() => fleet.lines('started.log').length === 2);
    fleet.letGo('a');
    await until(async () => (await fleet.task(id)).state === 'done');
    expect(fleet.lines('done.log')).toEqual(['a']);
    expect((await fleet.workers()).map(({ incarnation }) => incarnation)).toEqual([2]);
    up.child.kill('SIGTERM');
    expect(await up.ended).toMatchObject({ code: 0 });
  });

  it('ends a worker that does not react to SIGTERM, and hands its task back', async () => {
    await using fleet = await fleetProject();
    const [id = ''] = await fleet.add('stubborn a');
    const up = fleet.up('-n', '1', '--drain-timeout', '10s');
    const agent = await fleet.agentOf('a');
    const [worker] = await fleet.workers();
    // stopped, it cannot even notice
    process.kill(worker?.pid ?? 0, 'SIGSTOP');
    up.child.kill('SIGTERM');
    const end = await up.ended;
    expect(end.code, end.stdout).toBe(0);
    expect([isAlive(worker?.pid ?? 0), isAlive(agent)]).toEqual([false, false]);
    expect(await fleet.task(id)).toMatchObject({ state: 'queued', failures: 0, reclaims: 0, releases: 0, epoch: 1 });
  });
});

describe('stopgate fleet up', () => {
  it('warns before it starts workers whose checks may not run', { timeout: 60_000 }, async () => {
    await using fleet = await defaultProject();
    fleet.project.write('stopgate.config.json', '{"checks":[{"name":"tests","command":"true"}]}');
    const up = fleet.up();
    await up.sees('"leading"');
    up.child.kill('SIGTERM');
    const { stderr } = await up.ended;
    expect(stderr).toMatch(/The checks of \S+ may not run: the folder is not trusted; .*`stopgate trust /);
  });

  it('has a time on each line, also on those about schedules', { timeout: 60_000 }, async () => {
    await using fleet = await defaultProject();
    const { project } = fleet;
    // the shortest that a person may choose
    const added = await project.run(['task', 'add', 'again and again', '--every', '10s']);
    expect(added.code, added.stderr).toBe(0);
    const up = project.start(['fleet', 'up', '--ignore-load', '--agent', 'true']);
    await up.sees('added task');
    up.child.kill('SIGTERM');
    const { stdout, stderr } = await up.ended;
    const [, , ...lines] = stdout.trim().split('\n');
    expect(lines.filter((line) => !/^\d\d:\d\d:\d\d {2}\S/.test(line))).toEqual([]);
    expect(stdout).toMatch(/^\S+ {2}schedule \S+ added task/m);
    expect(stderr).not.toContain('added task');
  });

  const REFUSED: readonly (readonly [readonly string[], string])[] = [
    [['-n', '0'], '-n must be a whole number from 1 to 500, got "0"'],
    [['-n', 'x'], '-n must be a whole number from 1 to 500, got "x"'],
    [['--min', '9', '-n', '4'], '--min 9 is more than -n 4'],
    [['--type', 'odd'], '--type odd is not a kind of worker'],
    [['--drain-timeout', 'soon'], '--drain-timeout must be a duration'],
    [['--name', '../x'], 'cannot be the name of a fleet'],
    [['--agent', ' '], '--agent is empty'],
    [['--agent', './no-such-agent'], 'no-such-agent is not an executable program; name another with --agent.'],
    [['--agent', 'no-such-agent x'], 'no-such-agent is not on the PATH; name another with --agent.'],
    [['--worktrees', '--agent', '/no-such-agent'], '/no-such-agent is not an executable program'],
    [['--worktrees', '--agent', './no-such-agent'], 'project/no-such-agent is not an executable program'],
  ];
  /** One for each kind of value, and of place of the agent. */
  const SAMPLE = ['-n 0', '--min 9 -n 4', '--drain-timeout soon', '--agent ./no-such-agent', '--agent no-such-agent x'];
  it.each(sampleOf(REFUSED, ([args]) => SAMPLE.includes(args.join(' '))))('refuses %j', async (args, sentence) => {
    await using fleet = await defaultProject();
    const end = await fleet.project.run(['fleet', 'up', ...args]);
    expect(end).toMatchObject({ code: 2, stderr: expect.stringContaining(sentence) });
  });
});

describe.each(ANY_STORE)('on %s, stopgate fleet down', APART, (_, fleetProject) => {
  it('drains the fleet and its coordinator', async () => {
    await using fleet = await fleetProject();
    const [id = ''] = await fleet.add('hold a');
    const up = fleet.up('-n', '2', '--min', '2');
    await fleet.agentOf('a');
    const down = fleet.project.start(['fleet', 'down']);
    await up.sees('"draining"');
    fleet.letGo('a');
    expect(await down.ended).toMatchObject({ code: 0, stdout: expect.stringContaining('The fleet is down.') });
    expect(await up.ended).toMatchObject({ code: 0 });
    expect(await fleet.task(id)).toMatchObject({ state: 'done' });
    expect((await fleet.workers()).map(({ pid }) => isAlive(pid ?? 0))).toEqual([false, false]);
  });

  it('shuts down workers whose coordinator was killed', async () => {
    await using fleet = await fleetProject();
    const [id = ''] = await fleet.add('hold a');
    const up = fleet.up('-n', '1');
    const agent = await fleet.agentOf('a');
    up.child.kill('SIGKILL');
    await up.ended;
    const down = await fleet.project.run(['fleet', 'down', '--drain-timeout', '6s']);
    expect(down).toMatchObject({ code: 0 });
    expect(isAlive(agent)).toBe(false);
    expect(await fleet.task(id)).toMatchObject({ state: 'queued', failures: 0, reclaims: 0 });
  });

  it('has nothing to do where nothing runs', async () => {
    await using fleet = await fleetProject();
    expect(await fleet.project.run(['fleet', 'down'])).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('Nothing to shut down'),
    });
  });
});

describe.each(ANY_STORE)('on %s, stopgate fleet status', APART, (_, fleetProject) => {
  it('shows workers, tasks, pauses, the coordinator and what happened', async () => {
    await using fleet = await fleetProject();
    const [id = ''] = await fleet.add('hold a', { title: 'later', delayMs: 3_600_000 });
    const up = fleet.up('-n', '1');
    await fleet.agentOf('a');
    await fleet.store.pauseAccount({ key: 'other', until: { ms: 600_000 }, source: 'rate_limit' });
    const { stdout } = await fleet.project.run(['fleet', 'status']);
    expect(stdout).toMatch(/^Leader +\S+: process \d+, up/m);
    expect(stdout).toMatch(/^Tasks +0 ready · 1 in progress · 0 done · 1 delayed$/m);
    expect(stdout).toMatch(/^Paused +account other until \d\d:\d\d \(\S+\), rate_limit$/m);
    expect(stdout).toMatch(new RegExp(`^\\S+-w1 .* busy .* ${id.slice(0, 8)} hold a$`, 'm'));
    expect(stdout).not.toContain('\x1b');
    const json = await fleet.project.run(['fleet', 'status', '--json']);
    expect(json.lines[0]).toMatchObject({
      workers: [{ shownStatus: 'busy', taskTitle: 'hold a' }],
      tasks: { claimed: 1, delayed: 1 },
      coordinators: [{ pid: up.child.pid }],
      starts: { lastHour: 1, crashed: 0 },
    });
    fleet.letGo('a');
    up.child.kill('SIGTERM');
    await up.ended;
  });

  it('--watch --json gives a line a second until it is interrupted', async () => {
    await using fleet = await fleetProject();
    const watching = fleet.project.start(['fleet', 'status', '--watch', '--json']);
    let seen = '';
    watching.child.stdout?.on('data', (chunk) => {
      seen += chunk;
    });
    await until(() => seen.split('\n').length > 2);
    watching.child.kill('SIGINT');
    expect(await watching.ended).toMatchObject({ code: 130 });
  });
});
