import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import postgres from 'postgres';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openStore } from '../../src/store/openStore.ts';
import { opened } from '../store/support/sqliteStores.ts';
import { clockShim, whyNoShim } from '../support/clockShim.ts';
import { until } from '../support/fleetProject.ts';
import { type PostgresServer, startPostgres } from '../support/postgresServer.ts';
import { type TestProject, testProject } from '../support/project.ts';
import { IS_LONG } from '../support/testSize.ts';

const HOUR = 3_600_000;
const NAMED = ['-c', 'user.name=a', '-c', 'user.email=a@b'];

/** A machine: a home with an id of its own, and a clock that differs from the server's. The repository is on a shared disk. */
function machine(project: TestProject, { name, aheadMs, store }: { name: string; aheadMs: number; store: string }) {
  const home = path.join(project.home, name);
  mkdirSync(home);
  const shim = whyNoShim === null ? clockShim(home) : null;
  shim?.setTo(aheadMs);
  const env = { ...shim?.env, HOME: home, STOPGATE_STORE: store, MARK: path.join(project.home, 'mark') };
  const run = (...args: string[]) => project.run(args, { env });
  const worker = (script: string, ...more: string[]) =>
    project.start(
      ['worker', 'run', '--slot', name, '--idle-timeout', '1s', '--agent', `sh -c '${script}' sh`, ...more],
      { env },
    );
  // biome-ignore lint/suspicious/noExplicitAny: tests look into it freely
  const show = async (id: string): Promise<any> => JSON.parse((await run('task', 'show', id, '--json')).stdout);
  const add = async (...args: string[]) =>
    (await run('task', 'add', 'work', '--max-failures', '1', ...args)).stdout.trim();
  return { run, worker, show, add };
}

describe.concurrent('a task of two machines with one PostgreSQL, whose clocks are hours apart', () => {
  let server: PostgresServer;
  let databases = 0;
  beforeAll(async () => {
    server = await startPostgres();
  }, 60_000);
  afterAll(() => server?.[Symbol.asyncDispose]());

  async function machines(files: Readonly<Record<string, string>>) {
    const name = `verified${++databases}`;
    const sql = postgres(server.url, { max: 1 });
    await sql.unsafe(`CREATE DATABASE ${name}`);
    await sql.end();
    const store = server.url.replace(/postgres$/, name);
    const project = await testProject();
    const git = (...args: string[]) => execFileSync('git', args, { cwd: project.dir, encoding: 'utf8', stdio: 'pipe' });
    git('init', '-q', '-b', 'main');
    for (const [file, text] of Object.entries(files)) project.write(file, text);
    git('add', '.');
    git(...NAMED, 'commit', '-qm', 'first');
    return {
      git,
      project,
      store,
      one: machine(project, { name: 'one', aheadMs: 2 * HOUR, store }),
      two: machine(project, { name: 'two', aheadMs: -2 * HOUR, store }),
      [Symbol.asyncDispose]: project[Symbol.asyncDispose],
    };
  }

  it('is done with a receipt when it is honest', async () => {
    await using at = await machines({
      'stopgate.config.json': '{"checks":[{"name":"made","command":"test -e made"}]}',
    });
    await at.one.run('trust', '--yes');
    const id = await at.two.add();
    const { code, stderr } = await at.one.worker('echo x > made', '--worktrees').ended;
    const { task, attempts } = await at.two.show(id);
    expect([code, task.state], stderr).toEqual([0, 'done']);
    const { verifiedCommit, verifiedBy, branch, receipt } = attempts[0].details;
    expect([verifiedBy, at.git('rev-parse', branch).trim()]).toEqual(['one', verifiedCommit]);
    expect((await at.one.run('receipt', id, '--json')).stdout).toBe(readFileSync(receipt, 'utf8'));
  }, 60_000);

  // tests/fleet/verification.test.ts has more lies, and these records, on one machine
  it.runIf(IS_LONG)(
    'is not done when its agent rewrote the check',
    async () => {
      await using at = await machines({ 'check.sh': 'exit 1\n' });
      const id = await at.one.add('--verify', 'sh check.sh');
      const { stderr } = await at.two.worker('printf "exit 0" > check.sh; echo all done').ended;
      const { task, attempts } = await at.one.show(id);
      expect(task, stderr).toMatchObject({ state: 'dead', lastError: expect.stringContaining('sh check.sh exited 1') });
      expect(attempts[0]).toMatchObject({ state: 'failed', outcome: 'rejected' });
    },
    60_000,
  );

  it.runIf(IS_LONG)(
    'without a verifier has a record of the attempt that is found by its task',
    async () => {
      await using at = await machines({ 'stopgate.config.json': '{"checks":[{"command":"true"}]}' });
      await at.one.run('trust', '--yes');
      const id = await at.one.add('--no-verify');
      await at.one.worker('true').ended;
      const { stdout, stderr } = await at.one.run('receipt', id, '--json');
      expect(stderr).toBe('');
      expect(JSON.parse(stdout).receipt).toMatchObject({ worker: 'one', outcome: 'passed' });
    },
    60_000,
  );

  it('is verified by the other machine when the first one dies while it verifies', async () => {
    await using at = await machines({ 'check.sh': 'echo $$ >> "$MARK"; [ -e "$MARK.go" ] || sleep 600\n' });
    const mark = path.join(at.project.home, 'mark');
    const id = await at.two.add('--verify', 'sh check.sh');
    const first = at.one.worker('true');
    await until(() => existsSync(mark));
    const { task: before } = await at.two.show(id);
    first.child.kill('SIGKILL');
    await first.ended;
    writeFileSync(`${mark}.go`, '');
    const second = at.two.worker('true', '--idle-timeout', '2m');
    await using store = opened(await openStore(at.store));
    // not by the command: it would be started again and again
    await until(async () => {
      const found = await store.task({ id });
      return found.type === 'found' && found.task.state !== 'verifying';
    });
    const done = await at.two.show(id);
    second.child.kill('SIGTERM');
    const { code, stderr } = await second.ended;
    expect([code, before.verifyHolder], stderr).toEqual([0, 'one']);
    expect([done.task.state, done.attempts[0].details.verifiedBy]).toEqual(['done', 'two']);
    // the lease of a verifier, and no hours more or less
    const waitedMs = done.task.updatedAt - before.verifyUntil;
    expect(waitedMs).toBeGreaterThanOrEqual(0);
    expect(waitedMs).toBeLessThan(40_000);
  }, 120_000);
});
