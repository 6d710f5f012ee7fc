import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync, renameSync } from 'node:fs';
import net from 'node:net';
import { hostname } from 'node:os';
import path from 'node:path';
import postgres from 'postgres';
import { describe, expect, it } from 'vitest';
import { thisProcess } from '../../src/system/processLife.ts';
import { databaseOfThisFile } from '../store/support/postgresStores.ts';
import { type FleetProject, fleetProject, until } from '../support/fleetProject.ts';
import { KEYS, openScreen } from '../support/screen.ts';
import { sampleOf } from '../support/testSize.ts';

type ScreenOptions = NonNullable<Parameters<typeof openScreen>[1]>;

/** The view, with its process and its terminal in files of the project. */
const openView = ({ project }: FleetProject, { args = [], shell, ...more }: ScreenOptions = {}) =>
  openScreen(project, {
    args: ['fleet', 'status', '--watch', ...args],
    shell: shell ?? 'tty > tty; echo $$ > pid; exec CMD',
    ...more,
  });

/** Around a view that ends: what the shell has before and after it. */
const AROUND =
  'echo BEFORE IT; sh -c "echo \\$\\$ > pid; exec CMD"; code=$?; until stty -a | grep -q " icanon"; do :; done; echo "ENDED WITH $code"; echo SANE AGAIN; cat';

/** A worker without a process of its own: this one. */
async function addWorker({ store }: FleetProject, workerId: string, more = {}) {
  const registered = await store.registerWorker({
    workerId,
    kind: 'default',
    accountKey: 'claude',
    ...thisProcess(),
    ...more,
  });
  if (registered.type !== 'registered') throw new Error(JSON.stringify(registered));
  const { incarnation } = registered;
  return {
    incarnation,
    claim: async () => {
      const claimed = await store.claim({ workerId, incarnation, claimKey: `${workerId}-${Math.random()}` });
      if (claimed.type !== 'claimed') throw new Error(JSON.stringify(claimed));
      return claimed;
    },
  };
}

const database = databaseOfThisFile();
let databases = 0;

async function postgresProject(): Promise<FleetProject> {
  const sql = postgres(database.server.url, { max: 1, fetch_types: false });
  const name = `view_${++databases}`;
  await sql.unsafe(`CREATE DATABASE ${name}`);
  await sql.end();
  return fleetProject({ place: database.server.url.replace(/[^/]*$/, name) });
}

const storeEnv = (isPostgres: boolean) =>
  isPostgres ? { env: { STOPGATE_STORE: database.server.url.replace(/[^/]*$/, `view_${databases}`) } } : {};

const STORES = [
  ['SQLite', () => fleetProject(), false],
  ['PostgreSQL', postgresProject, true],
] as const;

// on both the view that goes on, below
describe.each(sampleOf(STORES, ([store]) => store === 'SQLite'))(
  'fleet status --watch on %s',
  (_, projectOf, isPostgres) => {
    it('shows what each worker and task does, and why others wait', async () => {
      await using fleet = await projectOf();
      await fleet.add({ title: 'build the parser', timeBudgetMs: 600_000 });
      const worker = await addWorker(fleet, 'w1');
      await worker.claim();
      await addWorker(fleet, 'w2', { idleLimitMs: 600_000 });
      const [first = ''] = await fleet.add({ title: 'ask first', holdReason: 'which API?' });
      await fleet.add({ title: 'afterwards', dependsOn: [first] }, { title: 'tomorrow', delayMs: 3_600_000 });
      await using view = openView(fleet, { columns: 120, ...storeEnv(isPostgres) });
      await view.sees('LEFT');
      expect(view.screen()).toMatch(/> ● working +w1 +\d+s +(?:10m|9m5\ds) +1\/3 +build the parser › active/);
      expect(view.screen()).toMatch(/○ waiting +w2 .*for a task: 1 delayed, next in .*1 blocked, 1 held; stops in/);
      expect(view.screen()).toMatch(/! needs you .*\[held: which API\?\] ask first/);
      expect(view.screen()).toMatch(/○ waiting .*\[for 1 task\] afterwards/);
      expect(view.screen()).toMatch(/○ waiting .*\[until \d\d:\d\d \((?:1h|59m\d\ds)\)\] tomorrow/);
      expect(view.screen()).toContain('q quit');
    });

    it('cancels a task after y, and not after n', async () => {
      await using fleet = await projectOf();
      const [id = ''] = await fleet.add('build the parser');
      await using view = openView(fleet, storeEnv(isPostgres));
      await view.sees('build the parser');
      view.type(`${KEYS.tab}c`);
      await view.sees(`Cancel task ${id.slice(0, 8)} “build the parser”? (y/n)`);
      view.type('n');
      await view.sees('Nothing was changed.');
      expect(await fleet.task(id)).toMatchObject({ state: 'queued' });
      view.type('cy');
      await view.sees(`Task ${id} is cancelled.`);
      await view.sees('- cancelled');
      expect(await fleet.task(id)).toMatchObject({ state: 'cancelled' });
      view.type('r');
      await view.sees('○ waiting');
      expect(await fleet.task(id)).toMatchObject({ state: 'queued' });
    });
  },
);

it('goes on when a PostgreSQL server is back that could not be reached', async () => {
  await using fleet = await postgresProject();
  await using server = await reachable(new URL(database.server.url).port);
  await fleet.add('build the parser');
  const place = new URL(storeEnv(true).env?.STOPGATE_STORE ?? '');
  place.port = server.port;
  await using view = openView(fleet, { columns: 200, env: { STOPGATE_STORE: place.href } });
  await view.sees('build the parser');
  await server.cut();
  await view.sees('Last read');
  expect(view.screen()).toContain('build the parser');
  await server.listen();
  await fleet.add('and another');
  await view.sees('and another');
  await view.sheds('Last read');
});

/** A way to a server that can be cut. */
async function reachable(port: string) {
  const sockets = new Set<net.Socket>();
  const proxy = net.createServer((client) => {
    const there = net.connect(Number(port), '127.0.0.1');
    for (const socket of [client, there]) {
      sockets.add(socket);
      socket.on('error', () => {}).on('close', () => sockets.delete(socket));
    }
    client.pipe(there).pipe(client);
  });
  const cut = async () => {
    const closed = new Promise((resolve) => proxy.close(resolve));
    for (const socket of sockets) socket.destroy();
    await closed;
  };
  let own = 0;
  const listen = async () => {
    await new Promise<void>((resolve) => proxy.listen(own, '127.0.0.1', resolve));
    own = (proxy.address() as net.AddressInfo).port;
  };
  await listen();
  return { cut, listen, port: String(own), [Symbol.asyncDispose]: cut };
}

describe('fleet status --watch', () => {
  it('requeues a dead task and shows why it was dead', async () => {
    await using fleet = await fleetProject();
    const [id = ''] = await fleet.add({ title: 'hard', maxFailures: 1 });
    const { claim } = await addWorker(fleet, 'w1');
    const { lease } = await claim();
    await fleet.store.fail({ lease, error: 'tests fail' });
    await using view = openView(fleet);
    await view.sees('✗ dead');
    expect(view.screen()).toContain('[failed 1×: tests fail] hard');
    view.type(`${KEYS.tab}r`);
    await view.sees(`Task ${id} is queued again.`);
    expect(await fleet.task(id)).toMatchObject({ state: 'queued', failures: 0 });
  });

  it('goes to what needs a person, and answers it', async () => {
    await using fleet = await fleetProject();
    await addWorker(fleet, 'w1');
    const [id = ''] = await fleet.add({ title: 'ask first', holdReason: 'which API?' });
    await fleet.store.pauseAccount({
      key: 'claude',
      until: { ms: 600_000 },
      source: 'authentication_failed, worker w1',
    });
    await using view = openView(fleet);
    await view.sees('! needs you');
    expect(view.screen()).toContain('account claude');
    view.type('a');
    await view.sees('Resume account claude until');
    view.type('y');
    await view.sees('claude is resumed.');
    await view.sees('○ waiting');
    view.type('aa');
    await view.sees('Release “ask first”? It is held: which API? (y/n)');
    view.type('y');
    await view.sees('is no longer held.');
    expect(await fleet.task(id)).toMatchObject({ status: 'ready' });
    view.type('a');
    await view.sees('Nothing needs you.');
  });

  it('pauses an account for the time that is typed, a queue, and holds a task', async () => {
    await using fleet = await fleetProject();
    await addWorker(fleet, 'w1');
    const [id = ''] = await fleet.add('build the parser');
    await using view = openView(fleet);
    await view.sees('w1');
    view.type('p');
    await view.sees('Pause account claude for: 1h');
    view.type('\u007f\u007f20m\r');
    await view.sees('‖ paused');
    expect(view.screen()).toMatch(/account claude until \d\d:\d\d \((?:20m|19m\d\ds)\): paused by/);
    view.type('p');
    await view.sees('claude is resumed.');
    view.type('Py');
    await view.sees('The queue default is paused');
    await view.sees('[the queue default is paused] build the parser');
    view.type('P');
    await view.sees('The queue default is open.');
    view.type(`${KEYS.tab}p`);
    await view.sees('Hold “build the parser”, because:');
    view.type(`not now${KEYS.enter}`);
    await view.sees('[held: not now] build the parser');
    expect(await fleet.task(id)).toMatchObject({ status: 'held', holdReason: 'not now' });
  });

  it('changes nothing for an agent: it says who may', async () => {
    await using fleet = await fleetProject();
    const [id = ''] = await fleet.add('build the parser');
    await using view = openView(fleet, { env: { STOPGATE_WORKER: 'w1' } });
    await view.sees('build the parser');
    view.type(`${KEYS.tab}cy`);
    await view.sees('stopgate task cancel is for people');
    expect(await fleet.task(id)).toMatchObject({ state: 'queued' });
  });

  it("follows a worker's output, which can do nothing to the terminal", async () => {
    await using fleet = await fleetProject();
    const agent = fleet.project.write(
      'agent.sh',
      '#!/bin/sh\nprintf "first \\033]0;title\\007\\033[2J\\033[32mgreen\\033[0m line\\n"; until [ -e go ]; do sleep 0.05; done; echo second line; until [ -e end ]; do sleep 0.05; done\n',
    );
    await fleet.add('build the parser');
    const worker = fleet.project.start(['worker', 'run', '--slot', 'byhand', '--agent', `/bin/sh ${agent}`]);
    await worker.sees('begins in');
    await using view = openView(fleet);
    await view.sees('● working');
    // what it printed last stands beside its task
    await view.sees('› first');
    view.type(KEYS.enter);
    await view.sees('─ following');
    await view.sees('green line');
    expect(view.screen()).toMatch(/^byhand · ● working/);
    expect(view.screen()).toContain('\\u001b]0;title\\u0007\\u001b[2Jgreen line');
    fleet.project.write('go', '');
    await view.sees('second line');
    for (const obeyed of ['\u001b]0;', '\u001b[2J']) expect(view.raw()).not.toContain(obeyed);
    view.type(KEYS.escape);
    await view.sees('WORKERS 1');
    fleet.project.write('end', '');
    await view.sees('✓ done');
  });

  it('shows what our own agent has spent, while it works', async () => {
    const wait = { name: 'Bash', input: { command: 'until [ -e go ]; do sleep 0.05; done' } };
    const first = { tools: [wait], usage: { in: 100_000, out: 20_000 } };
    await using fleet = await fleetProject({ answer: (_, n) => (n === 0 ? first : { text: 'done' }) });
    await fleet.add('build the parser');
    const worker = fleet.project.start(['worker', 'run', '--agent', 'stopgate', '--', '--allowedTools', 'Bash']);
    await worker.sees('begins in');
    await using view = openView(fleet, { columns: 120 });
    await view.sees('SPENT');
    // more than a cent, whatever the prices are
    await until(() => /● working .* \$\d+\.(?!00)\d\d +build the parser/.test(view.screen()));
    fleet.project.write('go', '');
  });

  it('shows all about a task', async () => {
    await using fleet = await fleetProject();
    await fleet.add({ title: 'build the parser', body: 'with care' });
    await using view = openView(fleet);
    await view.sees('build the parser');
    view.type(`${KEYS.tab}${KEYS.enter}`);
    await view.sees('with care');
    expect(view.screen()).toContain('Events');
    view.type(KEYS.escape);
    await view.sees('TASKS 1');
  });

  it('filters, and takes a paste as text', async () => {
    await using fleet = await fleetProject();
    const ids = await fleet.add('build the parser', 'write the docs');
    await using view = openView(fleet);
    await view.sees('write the docs');
    view.type(`${KEYS.tab}${KEYS.paste('cy')}/${KEYS.paste('docs')}${KEYS.enter}`);
    await view.sees('TASKS 1 found');
    expect(view.screen()).not.toContain('build the parser');
    view.type(KEYS.escape);
    await view.sees('build the parser');
    for (const id of ids) expect(await fleet.task(id)).toMatchObject({ state: 'queued' });
  });

  it('lists the first of thousands of tasks, and moves among them', async () => {
    await using fleet = await fleetProject();
    await fleet.add(...Array.from({ length: 1_200 }, (_unused, at) => `number ${at}`));
    await using view = openView(fleet);
    await view.sees('TASKS 1,200');
    await view.sees('… 1,000 more are not listed');
    expect(view.screen()).not.toContain('number 199');
    view.type(`${KEYS.tab}G`);
    await view.sees('number 199');
    view.type('gjj');
    await until(() => /> ○ waiting .* number 2$/m.test(view.screen()));
  });

  it('fits into 40 columns and 10 rows, with wide characters', async () => {
    await using fleet = await fleetProject();
    await fleet.add({ title: '漢字'.repeat(30), holdReason: 'which API is meant by that?' });
    await using view = openView(fleet, { columns: 40, rows: 10 });
    await view.sees('No worker is running');
    view.type(KEYS.tab);
    await view.sees('[held: which');
    view.type('a');
    await view.sees('(y/n)');
    expect(view.screen().split('\n')).toHaveLength(10);
    expect(view.screen()).toContain('y yes · n no');
  });

  it('follows the size of its terminal', async () => {
    await using fleet = await fleetProject();
    await addWorker(fleet, 'w1');
    await fleet.add('build the parser');
    await using view = openView(fleet, { columns: 100, rows: 30 });
    await view.sees('build the parser');
    // an emulator keeps what is beyond its new width
    const shown = (columns: number) =>
      view
        .screen()
        .split('\n')
        .map((line) => line.slice(0, columns));
    const resize = (columns: number, rows: number) => {
      view.emulator.resize(columns, rows);
      execFileSync('stty', ['-F', fleet.project.read('tty').trim(), 'cols', String(columns), 'rows', String(rows)]);
    };
    resize(50, 10);
    await until(() => shown(50)[9] === 'tab tasks · / filter · ? keys · q quit');
    expect(shown(50).join('\n')).not.toContain('build the parser');
    view.type(KEYS.tab);
    await until(() => shown(50).join('\n').includes('build the parser'));
    resize(120, 40);
    await view.sees('WORKERS 1');
    await view.sees('build the parser');
    expect(shown(120)).toHaveLength(40);
  });

  it('says that the store is gone, keeps what it read, and goes on when it is back', async () => {
    await using fleet = await fleetProject();
    await fleet.add('build the parser');
    await using view = openView(fleet, { columns: 200 });
    await view.sees('build the parser');
    const file = path.join(fleet.project.home, '.stopgate/stopgate.db');
    renameSync(file, `${file}.away`);
    await view.sees('is gone. Last read');
    expect(view.screen()).toContain('build the parser');
    renameSync(`${file}.away`, file);
    await view.sheds('is gone');
    await fleet.add('and another');
    await view.sees('and another');
  });

  it.each([
    ['q', 'q', 0],
    ['Ctrl-C', KEYS.ctrlC, 0],
  ])('gives the terminal back at %s', async (_name, key, code) => {
    await using fleet = await fleetProject();
    await using view = openView(fleet, { shell: AROUND });
    await view.sees('There are no tasks');
    expect(view.emulator.buffer.active.type).toBe('alternate');
    view.type(key);
    await view.sees('SANE AGAIN');
    expect(view.all()).toMatch(new RegExp(`BEFORE IT\\s+ENDED WITH ${code}\\s+SANE AGAIN`));
    expect(view.emulator.buffer.active.type).toBe('normal');
    expect(view.raw().lastIndexOf('\u001b[?25h')).toBeGreaterThan(view.raw().lastIndexOf('\u001b[?25l'));
  });

  it.each([
    ['SIGTERM', 143],
    ['SIGHUP', 129],
    ['SIGINT', 130],
    ['SIGKILL', 137],
  ] as const)('gives the terminal back after %s', async (signal, code) => {
    await using fleet = await fleetProject();
    await using view = openView(fleet, { shell: AROUND });
    await view.sees('There are no tasks');
    process.kill(Number(fleet.project.read('pid')), signal);
    await view.sees('SANE AGAIN');
    expect(view.all()).toContain('BEFORE IT');
    expect(view.all()).toContain(`ENDED WITH ${code}`);
    expect(view.all()).not.toContain('There are no tasks');
    expect(view.emulator.buffer.active.type).toBe('normal');
    expect(view.raw().lastIndexOf('\u001b[?25h')).toBeGreaterThan(view.raw().lastIndexOf('\u001b[?25l'));
  });

  it('gives the terminal back after an exception, and then shows it', async () => {
    await using fleet = await fleetProject();
    const faulty = fleet.project.write('../faulty.cjs', "process.on('SIGUSR2', () => { throw new Error('a bug'); });");
    await using view = openView(fleet, { shell: AROUND, env: { NODE_OPTIONS: `--require=${faulty}` } });
    await view.sees('There are no tasks');
    process.kill(Number(fleet.project.read('pid')), 'SIGUSR2');
    await view.sees('SANE AGAIN');
    expect(view.all()).toMatch(/BEFORE IT[\s\S]*Error: a bug[\s\S]*ENDED WITH/);
    expect(view.emulator.buffer.active.type).toBe('normal');
  });

  it('leaves nothing running', async () => {
    await using fleet = await fleetProject();
    await using view = openView(fleet, { shell: AROUND });
    await view.sees('There are no tasks');
    const pid = fleet.project.read('pid').trim();
    const children = () => readdirSync('/proc').filter((name) => /^\d+$/.test(name) && parentOf(name) === pid);
    expect(children()).toHaveLength(1);
    const [watchdog = ''] = children();
    view.type('q');
    await view.sees('SANE AGAIN');
    await until(() => !readdirSync('/proc').includes(watchdog));
  });

  it('has no colors with NO_COLOR, and says the same', async () => {
    await using fleet = await fleetProject();
    await fleet.add({ title: 'ask first', holdReason: 'which API?' });
    await using view = openView(fleet, { env: { NO_COLOR: '1' } });
    await view.sees('! needs you');
    for (const style of ['[1m', '[2m', '[31m', '[33m', '[35m', '[36m'])
      expect(view.raw()).not.toContain(`\u001b${style}`);
  });

  it.each([
    ['--plain', { args: ['--plain'] }],
    ['TERM=dumb', { env: { TERM: 'dumb' } }],
  ])('is a page without keys with %s', async (name, options) => {
    await using fleet = await fleetProject();
    await fleet.add('build the parser');
    await using view = openView(fleet, options);
    await view.sees('Tasks    1 ready');
    await view.sees('No worker is running.');
    expect(view.all()).not.toContain('q quit');
    expect(view.raw().includes('\u001b[')).toBe(name === '--plain');
  });

  it('is loaded by no other command', async () => {
    await using fleet = await fleetProject();
    const probe = fleet.project.write(
      '../probe.cjs',
      "process.on('exit', () => require('node:fs').writeFileSync(process.env.PROBE_FILE, JSON.stringify(Object.keys(require.cache))));",
    );
    const file = path.join(fleet.project.dir, 'loaded.json');
    const env = { NODE_OPTIONS: `--require=${probe}`, PROBE_FILE: file };
    expect(await fleet.project.run(['fleet', 'status'], { env })).toMatchObject({ code: 0 });
    const loaded: string[] = JSON.parse(readFileSync(file, 'utf8'));
    expect(loaded.filter((one) => one.includes('/dist/')).length).toBeGreaterThan(0);
    expect(loaded.filter((one) => one.includes('/dist/') && readFileSync(one, 'utf8').includes('1049h'))).toEqual([]);
  });

  it('names another host where the output is', async () => {
    await using fleet = await fleetProject();
    await addWorker(fleet, 'far', { host: `not-${hostname()}` });
    await using view = openView(fleet);
    await view.sees('far');
    view.type(KEYS.enter);
    await view.sees(`Its output is on its own host, not-${hostname()}`);
  });
});

function parentOf(pid: string): string {
  try {
    return /^\d+ \(.*\) \S+ (\d+)/.exec(readFileSync(`/proc/${pid}/stat`, 'utf8'))?.[1] ?? '';
  } catch {
    return '';
  }
}
