import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import postgres from 'postgres';
import { describe, expect, it } from 'vitest';
import { openStore } from '../../src/store/openStore.ts';
import { planBatch } from '../../src/store/planBatch.ts';
import { openFileStore } from '../../src/store/sqlite/openFile.ts';
import type { Store } from '../../src/store/types.ts';
import { available } from '../../src/store/unavailable.ts';
import { tempFolder } from '../../src/testing/tempFolder.ts';
import { bundle } from '../store/support/bundle.ts';
import { opened } from '../store/support/sqliteStores.ts';
import { startPostgres } from '../support/postgresServer.ts';

const START = Date.UTC(2026, 2, 28, 0, 30);
const HOUR_MS = 3_600_000;

interface Fleet {
  readonly store: Store;
  readonly folder: string;
  readonly spec: string;
  /** Moves the clock of the store. */
  setTime(at: number): Promise<void>;
}

/** Two processes fire every hour of a day with a kill at most hours; later the store is alone for five hours. */
async function failOver({ store, folder, spec, setTime }: Fleet): Promise<void> {
  const script = await bundle(path.join(import.meta.dirname, '../store/firingProcess.ts'), folder);
  const children = new Set<ChildProcess>();
  const start = (name: string) => {
    const child = spawn(process.execPath, [script, spec, `${folder}/clock`, name], {
      stdio: ['ignore', 'ignore', 'inherit'],
    });
    children.add(child);
    return child;
  };
  const kill = async (child: ChildProcess) => {
    children.delete(child);
    const gone = once(child, 'exit');
    child.kill('SIGKILL');
    await gone;
  };
  const [task] = planned();
  const times = { cron: '0 * * * *', everyMs: null, timezone: 'Europe/Berlin' };
  const first = START + HOUR_MS / 2;
  await store.addSchedule({ id: 'hourly', ...times, overlap: true, nextDueAt: first, task });
  const fired = async () => available(await store.schedules()).schedules[0];
  try {
    let [one, two] = [start('one'), start('two')];
    for (let hour = 0; hour < 6; hour++) {
      // one is killed just when the time comes
      const victim = hour % 2 === 0 ? one : two;
      await setTime(first + hour * HOUR_MS);
      await kill(victim);
      await expect.poll(async () => (await fired())?.fired, { timeout: 20_000, interval: 20 }).toBe(hour + 1);
      if (hour % 2 === 0) one = start(`one-${hour}`);
      else two = start(`two-${hour}`);
    }
    await Promise.all([kill(one), kill(two)]);
    await setTime(first + 10 * HOUR_MS + 60_000);
    start('late');
    await expect.poll(async () => (await fired())?.fired, { timeout: 20_000, interval: 20 }).toBe(7);
    expect(await fired()).toMatchObject({ missed: 4, skipped: 0, nextDueAt: first + 11 * HOUR_MS });
  } finally {
    for (const child of children) await kill(child);
  }
  expect(available(await store.counts({}))).toMatchObject({ ready: 7 });
  const { events } = available(await store.events({ limit: 1_000 }));
  const dueTimes = events
    .filter(({ kind }) => kind === 'schedule.fired')
    .map(({ data }) => (Number(data.dueAt) - first) / HOUR_MS);
  expect(dueTimes).toEqual([0, 1, 2, 3, 4, 5, 10]);
}

function planned() {
  const plan = planBatch([{ title: 'hourly' }]);
  if (plan.type === 'refused' || !plan.tasks[0]) throw new Error('not planned');
  return [plan.tasks[0]] as const;
}

describe('two coordinators that are killed add each task of a schedule once, and one for what they missed', () => {
  it('on SQLite', { timeout: 90_000 }, async () => {
    await using folder = await tempFolder();
    let at = START;
    const setTime = async (time: number) => {
      at = time;
      writeFileSync(`${folder.path}/clock`, String(time));
    };
    await setTime(START);
    const clock = { now: () => at, wall: () => at, sleep: async () => {} };
    const file = `${folder.path}/x.db`;
    await using store = opened(await openFileStore({ path: file, clock }));
    await failOver({ store, folder: folder.path, spec: file, setTime });
  });

  it('on PostgreSQL', { timeout: 90_000 }, async () => {
    await using folder = await tempFolder();
    await using server = await startPostgres();
    await using store = opened(await openStore(server.url, { connections: 2 }));
    const sql = postgres(server.url, { max: 1, fetch_types: false, onnotice: () => {} });
    await sql.unsafe(`CREATE TABLE stopgate.test_clock (at bigint); INSERT INTO stopgate.test_clock VALUES (${START});
      CREATE OR REPLACE FUNCTION stopgate.now_ms() RETURNS bigint LANGUAGE sql VOLATILE AS 'SELECT at FROM stopgate.test_clock'`);
    const setTime = async (time: number) => {
      await sql.unsafe(`UPDATE stopgate.test_clock SET at = ${time}`);
    };
    writeFileSync(`${folder.path}/clock`, String(START));
    try {
      await failOver({ store, folder: folder.path, spec: server.url, setTime });
    } finally {
      await sql.end();
    }
  });
});
