import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { openStore } from '../../src/store/openStore.ts';
import type { Store } from '../../src/store/types.ts';
import { tempFolder } from '../../src/testing/tempFolder.ts';
import { startPostgres } from '../support/postgresServer.ts';
import { sizeOf } from '../support/testSize.ts';
import { bundle } from './support/bundle.ts';
import { assertNothingLost } from './support/faultChecks.ts';
import { type FaultStore, runFaults } from './support/faultRun.ts';
import { opened } from './support/sqliteStores.ts';
import { until } from './support/until.ts';

/** `STOPGATE_FAULT_SEED` runs one again, as far as several processes can be run again. */
const SEED = Number(process.env.STOPGATE_FAULT_SEED ?? Math.floor(Math.random() * 2 ** 31));
const SCALE = Number(process.env.STOPGATE_FAULT_SCALE ?? sizeOf({ small: 0.16, full: 1 }));
const PLAN = {
  seed: SEED,
  tasks: Math.round(2_100 * SCALE),
  slots: sizeOf({ small: 8, full: 16 }),
  sliceMs: 40,
  actions: Math.round(66 * SCALE),
  // the store is hurt in each of its ways, whatever the size is
  disturbEvery: Math.max(5, Math.round(16 * Math.min(1, SCALE))),
  faults: { dieAsking: 0.003, loseReply: 0.08, duplicate: 0.1, reopen: 0.02 },
};

async function check(target: FaultStore, folder: string): Promise<void> {
  try {
    const report = await runFaults({ ...PLAN, folder, target });
    process.stderr.write(`faults, ${target.schema ?? 'sqlite'}: ${JSON.stringify(report.figures)}\n`);
    await using store = await target.open();
    await assertNothingLost(store, report, PLAN.tasks);
    expect(report.figures.lostAttempts, 'the faults cost attempts').toBeGreaterThan(10 * Math.min(1, SCALE));
    expect(report.figures.acked).toBeGreaterThan(PLAN.tasks * 0.9);
  } catch (error) {
    throw new Error(`STOPGATE_FAULT_SEED=${SEED}`, { cause: error });
  }
}

describe(`${PLAN.slots} processes that are killed and stopped, whose replies get lost and whose store restarts`, () => {
  it('lose no acknowledged completion on SQLite, accept none twice and leave none behind', {
    timeout: 150_000,
  }, async () => {
    await using folder = await tempFolder();
    await using broker = await brokerOf(path.join(folder.path, 'store.db'));
    await broker.start();
    await check(broker, folder.path);
  });

  it('lose no acknowledged completion on PostgreSQL, accept none twice and leave none behind', {
    timeout: 150_000,
  }, async () => {
    await using folder = await tempFolder();
    await using server = await startPostgres();
    const schema = 'faults';
    const options = { schema, connections: 4 };
    let restarts = 0;
    const target: FaultStore = {
      spec: server.url,
      schema,
      open: async () => opened(await openStore(server.url, options)),
      disturb: () => server.restart(++restarts % 2 === 1 ? 'crash' : 'orderly'),
    };
    await check(target, folder.path);
  });
});

/** A process that serves the file; it is killed, missed for a while, started again, and stopped with requests in its hands. */
async function brokerOf(file: string): Promise<FaultStore & AsyncDisposable & { start(): Promise<void> }> {
  const script = await bundle(path.join(import.meta.dirname, 'faultBroker.ts'), path.dirname(file));
  let child: ChildProcess | undefined;
  let disturbances = 0;
  const open = async (): Promise<Store> => opened(await openStore(file));
  const start = async () => {
    child = fork(script, [file], { cwd: path.dirname(file), execArgv: [] });
    await Promise.race([once(child, 'message'), once(child, 'exit')]);
  };
  const kill = async () => {
    if (!child || child.signalCode !== null) return;
    const gone = once(child, 'exit');
    child.kill('SIGKILL');
    await gone;
  };
  const whileStopped = async (progress: () => number) => {
    const before = progress();
    child?.kill('SIGSTOP');
    // they hang up after a while and go to the file themselves, unless it was stopped with the lock in its hand
    await until('somebody gets on without it', () => progress() > before + 20, 6_000).catch(() => {});
    child?.kill('SIGCONT');
  };
  return {
    spec: file,
    open,
    start,
    disturb: async (progress) => {
      disturbances += 1;
      if (disturbances === 2) return whileStopped(progress);
      await kill();
      // a test that was kept waiting itself may come when less than that is left
      const enough = Math.min(progress() + Math.round(PLAN.tasks / 21), PLAN.tasks);
      await until('the workers did without it', () => progress() >= enough, 20_000);
      await start();
    },
    [Symbol.asyncDispose]: kill,
  };
}
