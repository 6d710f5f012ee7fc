import { existsSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import postgres from 'postgres';
import { describe, expect, it } from 'vitest';
import { databaseOfThisFile } from '../store/support/postgresStores.ts';
import { type FleetProject, fleetProject, until } from '../support/fleetProject.ts';
import { isAlive, type RunningCommand } from '../support/project.ts';
import { type StoreProxy, storeProxy } from '../support/storeProxy.ts';
import { IS_LONG, sampleOf } from '../support/testSize.ts';

const LONG_MS = 90_000;
/** Most of their time is waiting. */
const APART = { timeout: LONG_MS, concurrent: true };
const AGENT = path.join(import.meta.dirname, '../support/fleetAgent.mjs');
const database = databaseOfThisFile();
let databases = 0;

interface OutageProject extends AsyncDisposable {
  readonly fleet: FleetProject;
  /** The store answers nobody. */
  away(): Promise<void>;
  back(): Promise<void>;
}

interface CutProject extends OutageProject {
  readonly network: StoreProxy;
}

/** Another process has the lock and hangs, as a backup that was stopped. */
async function lockedProject(): Promise<OutageProject> {
  const fleet = await fleetProject();
  const file = path.join(fleet.project.home, '.stopgate/stopgate.db');
  let lock: DatabaseSync | null = null;
  const back = async () => {
    lock?.close();
    lock = null;
  };
  return {
    fleet,
    away: async () => {
      lock = new DatabaseSync(file, { timeout: 10_000 });
      lock.exec('BEGIN IMMEDIATE');
    },
    back,
    [Symbol.asyncDispose]: async () => {
      await back();
      await fleet[Symbol.asyncDispose]();
    },
  };
}

/** The network between this machine and the server is cut. */
async function cutProject(): Promise<CutProject> {
  const sql = postgres(database.server.url, { max: 1, fetch_types: false });
  const name = `outage_${++databases}`;
  await sql.unsafe(`CREATE DATABASE ${name}`);
  await sql.end();
  const proxy = await storeProxy(database.server.url.replace(/[^/]*$/, name));
  const fleet = await fleetProject({ place: proxy.url });
  return {
    fleet,
    network: proxy,
    away: proxy.cut,
    back: proxy.open,
    [Symbol.asyncDispose]: async () => {
      await proxy.open();
      await fleet[Symbol.asyncDispose]();
      await proxy[Symbol.asyncDispose]();
    },
  };
}

const STORES = [
  ['SQLite, locked', lockedProject],
  ['PostgreSQL, cut off', cutProject],
] as const;

const AWAY = 'the store cannot be reached';
const BACK = 'the store can be reached again';

const workerOf = ({ project }: FleetProject, ...args: string[]): RunningCommand => {
  const agent = ['--agent', `${process.execPath} ${AGENT}`];
  return project.start(['worker', 'run', '--slot', 'w', '--idle-timeout', '2s', ...agent, ...args]);
};

const kept = ({ project }: FleetProject, ...names: string[]): readonly string[] => {
  const folder = path.join(project.home, '.stopgate/outbox', ...names);
  return existsSync(folder) ? readdirSync(folder).filter((name) => name.endsWith('.json')) : [];
};

describe.each(STORES)('%s: what was finished meanwhile', APART, (_, outageProject) => {
  it('is kept, delivered when the store answers, and not done again', async () => {
    await using outage = await outageProject();
    const { fleet } = outage;
    const [id = ''] = await fleet.add('hold a');
    const worker = workerOf(fleet);
    await fleet.agentOf('a');
    await outage.away();
    fleet.letGo('a');
    await until(() => fleet.lines('done.log').length === 1);
    await worker.sees(AWAY);
    await until(() => kept(fleet).length === 1);
    await outage.back();
    await worker.sees(BACK);
    const end = await worker.ended;
    expect(await fleet.task(id), end.stderr).toMatchObject({ state: 'done', epoch: 1, failures: 0, reclaims: 0 });
    expect(end.stderr.split(AWAY)).toHaveLength(2);
    expect(end.code).toBe(0);
    expect(fleet.lines('done.log')).toEqual(['a']);
    expect(kept(fleet)).toEqual([]);
  });

  // how the store is away makes no difference to what is done with a settlement that was kept
  const whereLocked = it.runIf(IS_LONG || outageProject === lockedProject);

  whereLocked('is delivered by the next worker when this one got kill -9', async () => {
    await using outage = await outageProject();
    const { fleet } = outage;
    const [id = ''] = await fleet.add('hold a');
    const worker = workerOf(fleet);
    await fleet.agentOf('a');
    await outage.away();
    fleet.letGo('a');
    await until(() => kept(fleet).length === 1);
    worker.child.kill('SIGKILL');
    await worker.ended;
    await outage.back();
    const status = await fleet.project.run(['fleet', 'status']);
    expect(status.stdout).toMatch(new RegExp(`^Kept +task ${id.slice(0, 8)}.*, completed .* not delivered yet`, 'm'));
    expect((await fleet.project.run(['task', 'list'])).stdout).toContain('1 settlement is kept on this machine');
    const next = await workerOf(fleet).ended;
    expect(await fleet.task(id), next.stderr).toMatchObject({ state: 'done', epoch: 1, reclaims: 0 });
    expect(next.stderr).toContain(`task ${id}: its settlement (completed) from `);
    expect(fleet.lines('done.log')).toEqual(['a']);
  });

  whereLocked('is delivered by a coordinator before it looks for dead workers', async () => {
    await using outage = await outageProject();
    const { fleet } = outage;
    const [id = ''] = await fleet.add('hold a');
    const up = fleet.up('-n', '1');
    await fleet.agentOf('a');
    const [worker] = await fleet.workers();
    await outage.away();
    fleet.letGo('a');
    await until(() => kept(fleet).length === 1);
    process.kill(worker?.pid ?? 0, 'SIGKILL');
    await until(() => !isAlive(worker?.pid ?? 0));
    await up.sees('"storeUnavailable"');
    await outage.back();
    await until(async () => (await fleet.task(id)).state === 'done');
    expect(await fleet.task(id)).toMatchObject({ epoch: 1, reclaims: 0 });
    expect(fleet.lines('done.log')).toEqual(['a']);
    up.child.kill('SIGTERM');
    expect(await up.ended).toMatchObject({ code: 0 });
  });

  whereLocked('is kept as superseded when the task was claimed again', async () => {
    await using outage = await outageProject();
    const { fleet } = outage;
    const [id = ''] = await fleet.add('hold a');
    const worker = workerOf(fleet);
    await fleet.agentOf('a');
    await outage.away();
    fleet.letGo('a');
    await until(() => kept(fleet).length === 1);
    worker.child.kill('SIGKILL');
    await worker.ended;
    await outage.back();
    // somebody elsewhere takes the slot's task
    await fleet.store.reap({ workerId: 'w', incarnation: 1, evidence: 'exited', staleAfterMs: 0, graceMs: 0 });
    await fleet.store.registerWorker({ workerId: 'other' });
    await until(async () => {
      const request = { workerId: 'other', incarnation: 1, claimKey: 'k', taskId: id };
      return (await fleet.store.claim(request)).type === 'claimed';
    });
    const next = await workerOf(fleet).ended;
    expect(next.stderr).toContain('is superseded');
    expect([kept(fleet), kept(fleet, 'superseded').length]).toEqual([[], 1]);
    expect(await fleet.store.attempts({ taskId: id })).toMatchObject({ attempts: [{ state: 'superseded' }, {}] });
    const status = await fleet.project.run(['fleet', 'status']);
    expect(status.stdout).toMatch(/^Kept +task \S+.*superseded/m);
  });
});

describe('an attempt of which the store did not hear how it is verified', APART, () => {
  it('is verified all the same', async () => {
    await using outage = await cutProject();
    const { fleet, network, back } = outage;
    fleet.project.write('stopgate.config.json', '{"checks":[{"command":"true"}]}');
    await fleet.project.run(['trust', '--yes']);
    const isCut = network.cutAt('definition of done');
    const [id = ''] = await fleet.add('quick a');
    const worker = workerOf(fleet);
    await isCut;
    await until(() => fleet.lines('done.log').length === 1);
    await back();
    const { stderr } = await worker.ended;
    expect(await fleet.task(id), stderr).toMatchObject({ state: 'done', epoch: 1 });
    expect(await fleet.store.attempts({ taskId: id })).toMatchObject({ attempts: [{ details: { verifiedBy: 'w' } }] });
  });
});

describe('a fleet that starts', APART, () => {
  const goesOn = async ({ fleet, back }: CutProject, up: RunningCommand) => {
    await up.sees(AWAY);
    await back();
    await until(() => fleet.lines('done.log').length === 1);
    up.child.kill('SIGTERM');
    expect(await up.ended).toMatchObject({ code: 0 });
  };

  it('waits for a server that is not there yet', async () => {
    await using outage = await cutProject();
    await outage.fleet.add('quick a');
    await outage.away();
    await goesOn(outage, outage.fleet.up('-n', '1'));
  });

  it.each(sampleOf(['about', 'workers'], (request) => request === 'workers'))(
    'waits for a server from which it is cut off when it asks for "%s"',
    async (request) => {
      await using outage = await cutProject();
      await outage.fleet.add('quick a');
      const cut = outage.network.cutAt(`stopgate.${request}`);
      const up = outage.fleet.up('-n', '1');
      await Promise.race([cut, up.ended.then((end) => expect.unreachable(JSON.stringify(end)))]);
      await goesOn(outage, up);
    },
  );
});

describe.each(STORES)('%s: what an agent reports meanwhile', APART, (_, outageProject) => {
  it('counts, and not how it ended afterwards', async () => {
    await using outage = await outageProject();
    const { fleet } = outage;
    const [id = ''] = await fleet.add('a task');
    const script = `echo $$ > a.running
      while [ ! -e a.go ]; do sleep 0.05; done
      stopgate task complete "$STOPGATE_TASK_ID" --result "by the agent" > said 2>&1
      echo $? >> said
      exit 3`;
    fleet.project.write('agent.sh', script);
    const worker = fleet.project.start([
      'worker',
      'run',
      '--slot',
      'w',
      '--idle-timeout',
      '2s',
      '--agent',
      'sh agent.sh',
    ]);
    await fleet.agentOf('a');
    await outage.away();
    fleet.letGo('a');
    await until(() => fleet.lines('said').length > 1);
    const said = fleet.lines('said').join('\n');
    expect(said).toContain(`Task ${id} is completed on this machine: `);
    expect(said).toMatch(/There is nothing more to do for this task.\n69$/);
    await worker.sees(AWAY);
    await outage.back();
    const { stderr } = await worker.ended;
    expect(await fleet.task(id), stderr).toMatchObject({
      state: 'done',
      epoch: 1,
      failures: 0,
      result: 'by the agent',
    });
    // and again: harmless
    const again = await fleet.store.attempts({ taskId: id });
    expect(again).toMatchObject({ attempts: [{ state: 'succeeded' }] });
  });
});

describe.each(STORES)('%s: a worker that waits', APART, (_, outageProject) => {
  it.runIf(IS_LONG || outageProject === lockedProject)(
    'never leaves if it is persistent, and goes on afterwards',
    async () => {
      await using outage = await outageProject();
      const { fleet } = outage;
      const worker = workerOf(fleet, '--type', 'persistent', '--idle-timeout', 'never');
      await until(async () => (await fleet.workers()).length === 1);
      await outage.away();
      await worker.sees(AWAY);
      await outage.back();
      await worker.sees(BACK);
      const [id = ''] = await fleet.add('quick a');
      await until(async () => (await fleet.task(id)).state === 'done');
      worker.child.kill('SIGTERM');
      expect(await worker.ended).toMatchObject({ code: 0 });
    },
  );

  it.runIf(IS_LONG || outageProject === cutProject)(
    'leaves with 69 when its idle limit is over, not with 0',
    async () => {
      await using outage = await outageProject();
      const { fleet } = outage;
      const worker = workerOf(fleet, '--idle-timeout', '4s');
      await until(async () => (await fleet.workers()).length === 1);
      await outage.away();
      const end = await worker.ended;
      expect(end.code, end.stderr).toBe(69);
      expect(end.stderr).toContain(AWAY);
    },
  );
});
