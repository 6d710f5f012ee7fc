import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openStore } from '../../src/store/openStore.ts';
import type { ClaimOutcome, Lease, Store } from '../../src/store/types.ts';
import { available } from '../../src/store/unavailable.ts';
import { addOne, newKey, REAP } from '../../src/testing/storeContract/steps.ts';
import { taskOf } from '../../src/testing/storeContract/storeCase.ts';
import { type TempFolder, tempFolder } from '../../src/testing/tempFolder.ts';
import { opened } from '../store/support/sqliteStores.ts';
import { type StoreProcess, type StoreProcesses, storeProcesses } from '../store/support/storeProcesses.ts';
import { type PostgresServer, startPostgres } from '../support/postgresServer.ts';
import { sizeOf } from '../support/testSize.ts';

const RACES = sizeOf({ small: 80, full: 1_000 });

interface Place extends AsyncDisposable {
  readonly store: Store;
  readonly processes: StoreProcesses;
}

describe.each(['SQLite', 'PostgreSQL'])('incidents: tasks that several processes share, on %s', (kind) => {
  let server: PostgresServer | undefined;
  let folder: TempFolder;
  let places = 0;

  beforeAll(async () => {
    folder = await tempFolder();
    if (kind === 'PostgreSQL') server = await startPostgres();
  }, 60_000);

  afterAll(async () => {
    await server?.[Symbol.asyncDispose]();
    await folder[Symbol.asyncDispose]();
  });

  async function place(): Promise<Place> {
    const closing = new AsyncDisposableStack();
    const schema = `place_${++places}`;
    const spec = server?.url ?? path.join(folder.path, `${schema}.db`);
    const store = closing.use(opened(await openStore(spec, { schema, connections: 2 })));
    const processes = closing.use(await storeProcesses(folder.path, spec, schema));
    return { store, processes, [Symbol.asyncDispose]: () => closing.disposeAsync() };
  }

  async function start({ processes, store }: Place, workerId: string): Promise<Racer> {
    const process = await processes.start();
    const registered = available(await store.registerWorker({ workerId, pid: process.pid }));
    if (registered.type !== 'registered') throw new Error(registered.type);
    return { process, by: { workerId, incarnation: registered.incarnation } };
  }

  it(`23: of eight processes that claim one task at once one gets it, ${RACES} times (beads#4657)`, {
    timeout: 120_000,
  }, async () => {
    await using shared = await place();
    const { store } = shared;
    const racers = await Promise.all(Array.from({ length: 8 }, (_, n) => start(shared, `racer-${n}`)));
    const tasks = Array.from({ length: RACES }, (_, n) => ({
      id: `task-${n}`,
      title: `race ${n}`,
      queue: `race-${n}`,
    }));
    available(await store.addTasks({ tasks }));
    const wins = new Map<string, number>();
    for (const [race, { id: taskId, queue }] of tasks.entries()) {
      // the first in a queue, and one that is named, are found in different ways
      const target = race % 2 === 0 ? { queue } : { queue, taskId };
      const outcomes = await Promise.all(racers.map(({ process, by }) => claimIn(process, { ...by, ...target })));
      const leases = outcomes.flatMap((outcome) => (outcome.type === 'claimed' ? [outcome.lease] : []));
      expect(leases, JSON.stringify(outcomes)).toHaveLength(1);
      const [lease] = leases as [Lease];
      expect(lease).toMatchObject({ taskId, epoch: 1 });
      expect(outcomes.filter(({ type }) => type === 'empty' || type === 'refused')).toHaveLength(7);
      const winner = racers.find(({ by }) => by.workerId === lease.workerId) as Racer;
      expect(await winner.process.ask('complete', { lease, result: lease.workerId })).toMatchObject({
        type: 'accepted',
      });
      wins.set(lease.workerId, (wins.get(lease.workerId) ?? 0) + 1);
    }
    expect(available(await store.counts())).toMatchObject({ done: RACES, claimed: 0, ready: 0 });
    expect([...wins.values()].reduce((sum, count) => sum + count)).toBe(RACES);
  });

  it('24: a late "done" of the previous holder is refused by its token (gastown#909)', async () => {
    await using shared = await place();
    const { store } = shared;
    const [before, after] = [await start(shared, 'before'), await start(shared, 'after')];
    const id = await addOne(store, { title: 'x', backoffMs: 0 });
    const first = leaseOf(await claimIn(before.process, before.by));
    expect(await store.reap({ ...before.by, ...REAP })).toMatchObject({
      type: 'reaped',
      task: { id, state: 'queued' },
    });
    const second = leaseOf(await claimIn(after.process, after.by));
    expect(second).toMatchObject({ taskId: id, epoch: 2 });
    const late = { type: 'superseded', epoch: 2, taskState: 'claimed' };
    expect(await before.process.ask('complete', { lease: first, result: 'done' })).toEqual(late);
    // nor does a token that was put together from what it knows of the new one
    const forged = { ...first, epoch: second.epoch };
    expect(await before.process.ask('complete', { lease: forged, result: 'done' })).toEqual({ type: 'unknownAttempt' });
    expect(await before.process.ask('fail', { lease: first, error: 'x' })).toEqual(late);
    expect(await before.process.ask('heartbeat', { ...before.by, lease: first })).toMatchObject({ type: 'superseded' });
    expect(await taskOf(store, id)).toMatchObject({ state: 'claimed', attemptId: second.attemptId, result: null });
    expect(await after.process.ask('complete', { lease: second, result: 'mine' })).toMatchObject({ type: 'accepted' });
    expect(await before.process.ask('complete', { lease: first, result: 'done' })).toMatchObject({
      type: 'superseded',
    });
    expect(await taskOf(store, id)).toMatchObject({ state: 'done', attemptId: second.attemptId, result: 'mine' });
    const { attempts } = available(await store.attempts({ taskId: id }));
    expect(attempts.map(({ state, lateResult }) => [state, lateResult])).toEqual([
      ['superseded', 'done'],
      ['succeeded', null],
    ]);
  });

  it('28: a task whose worker crashes each time is put aside after the third claim, with the reason (hindsight#2675)', async () => {
    await using shared = await place();
    const { store } = shared;
    const id = await addOne(store, { title: 'kills its worker', backoffMs: 0, priority: 1 });
    const other = await addOne(store, 'does not');
    for (let crash = 1; crash <= 3; crash++) {
      const { process, by } = await start(shared, 'slot');
      await process.dieAfter('claim', { ...by, claimKey: newKey() });
      const reaped = await store.reap({ ...by, ...REAP, reason: 'ended by SIGKILL', exitCode: 137 });
      expect(reaped).toMatchObject({ type: 'reaped', task: { id, state: crash < 3 ? 'queued' : 'dead' } });
    }
    expect(await taskOf(store, id)).toMatchObject({ state: 'dead', epoch: 3, reclaims: 3, failures: 0 });
    expect((await taskOf(store, id)).lastError).toContain('ended by SIGKILL');
    const { attempts } = available(await store.attempts({ taskId: id }));
    expect(attempts.map(({ state, outcome }) => `${state} ${outcome}`)).toEqual(Array(3).fill('lost ended by SIGKILL'));
    const { process, by } = await start(shared, 'slot');
    const next = leaseOf(await claimIn(process, by));
    expect(next.taskId).toBe(other);
    expect(await process.ask('complete', { lease: next, result: 'x' })).toMatchObject({ type: 'accepted' });
    expect(await claimIn(process, by)).toMatchObject({ type: 'empty', ready: 0, delayed: 0 });
  });
});

interface Racer {
  readonly process: StoreProcess;
  readonly by: { readonly workerId: string; readonly incarnation: number };
}

function claimIn(process: StoreProcess, by: Racer['by'] & { queue?: string; taskId?: string }): Promise<ClaimOutcome> {
  return process.ask('claim', { ...by, claimKey: newKey() });
}

function leaseOf(outcome: ClaimOutcome): Lease {
  if (outcome.type !== 'claimed') throw new Error(JSON.stringify(outcome));
  return outcome.lease;
}
