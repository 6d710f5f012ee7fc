import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { type FakeClock, fakeClock } from '../../testing/fakeClock.ts';
import { tempFolder } from '../../testing/tempFolder.ts';
import type { Store } from '../types.ts';
import { available } from '../unavailable.ts';
import { openSqliteStore } from './openFile.ts';
import { decideClock } from './storeClock.ts';

const HOUR = 3_600_000;
const START = Date.UTC(2026, 10, 15, 12);

function opened(file: string, clock: FakeClock): Store {
  const store = openSqliteStore({ path: file, clock, random: () => 0.6 });
  if ('type' in store) throw new Error(store.reason);
  return store;
}

const timeOf = async (store: Store) => available(await store.about()).now;

describe.each([-HOUR, HOUR])('the machine clock is set by %i ms', (byMs) => {
  it('does not move the time of any process, whether it ran before or starts after', async () => {
    await using folder = await tempFolder();
    const file = path.join(folder.path, 'store.db');
    const clock = fakeClock(START);
    await using first = opened(file, clock);
    await using second = opened(file, clock);
    await first.registerWorker({ workerId: 'w1' });
    await second.registerWorker({ workerId: 'w2' });
    clock.setWall(byMs);
    await clock.advance(1_000);
    // a read first, which may not write the row
    expect([await timeOf(first), await timeOf(second)]).toEqual([START + 1_000, START + 1_000]);
    await second.heartbeat({ workerId: 'w2', incarnation: 1 });
    await using late = opened(file, clock);
    expect([await timeOf(first), await timeOf(second), await timeOf(late)]).toEqual([
      START + 1_000,
      START + 1_000,
      START + 1_000,
    ]);
    clock.setWall(-byMs);
    await first.heartbeat({ workerId: 'w1', incarnation: 1 });
    expect([await timeOf(first), await timeOf(second), await timeOf(late)]).toEqual([
      START + 1_000,
      START + 1_000,
      START + 1_000,
    ]);
  });

  it('neither expires a lease nor keeps the lease of a dead worker, and a backoff keeps its length', async () => {
    await using folder = await tempFolder();
    const file = path.join(folder.path, 'store.db');
    const clock = fakeClock(START);
    await using store = opened(file, clock);
    await store.registerWorker({ workerId: 'alive' });
    await store.registerWorker({ workerId: 'dead' });
    await store.addTasks({ tasks: [{ title: 'a' }, { title: 'b' }] });
    for (const workerId of ['alive', 'dead']) await store.claim({ workerId, incarnation: 1, claimKey: workerId });
    const reap = (workerId: string) =>
      store.reap({ workerId, incarnation: 1, evidence: 'lapsed', staleAfterMs: 120_000, graceMs: 60_000 });

    clock.setWall(byMs);
    expect([(await reap('alive')).type, (await reap('dead')).type]).toEqual(['alive', 'alive']);
    await clock.advance(121_000);
    await store.heartbeat({ workerId: 'alive', incarnation: 1 });
    expect([(await reap('alive')).type, (await reap('dead')).type]).toEqual(['alive', 'suspect']);
    clock.setWall(byMs);
    expect((await reap('dead')).type).toBe('suspect');
    await clock.advance(61_000);
    expect((await reap('dead')).type).toBe('reaped');

    // 10 s, spread by 1.1
    await clock.advance(10_999);
    const claim = (claimKey: string) => store.claim({ workerId: 'alive', incarnation: 1, claimKey });
    const held = available(await store.workers({ workerId: 'alive' })).workers[0];
    await store.complete({
      lease: {
        taskId: held?.taskId as string,
        attemptId: held?.attemptId as string,
        epoch: 1,
        workerId: 'alive',
        incarnation: 1,
      },
      result: 'done',
    });
    expect((await claim('too soon')).type).toBe('empty');
    clock.setWall(-byMs);
    expect((await claim('still too soon')).type).toBe('empty');
    await clock.advance(1);
    expect((await claim('due')).type).toBe('claimed');
  });
});

const BOOT = 'this start';
const facts = { boot: BOOT, wall: START, sinceBootMs: 5_000, lastEventAt: () => 0 };
const before = { boot: BOOT, bootedAt: START - 5_000, aheadMs: 0 };

it.each([
  ['a new store', undefined, facts, { boot: BOOT, bootedAt: START - 5_000, aheadMs: 0 }],
  ['nothing happened', before, facts, before],
  ['a small step is followed', before, { ...facts, wall: START + 900 }, before],
  [
    'set forward',
    before,
    { ...facts, wall: START + HOUR },
    { ...before, bootedAt: START + HOUR - 5_000, aheadMs: -HOUR },
  ],
  ['set back', before, { ...facts, wall: START - HOUR }, { ...before, bootedAt: START - HOUR - 5_000, aheadMs: HOUR }],
  ['the machine slept', before, { ...facts, wall: START + HOUR, sinceBootMs: HOUR + 5_000 }, before],
  [
    'the machine was started again: the wall time counts again',
    { ...before, boot: 'another start', aheadMs: -HOUR },
    { ...facts, lastEventAt: () => START - 60_000 },
    before,
  ],
  [
    'and never a time before the last event',
    { ...before, boot: 'another start', aheadMs: HOUR },
    { ...facts, lastEventAt: () => START + HOUR - 60_000 },
    { ...before, aheadMs: HOUR - 60_000 },
  ],
])('%s', (_name, row, given, expected) => {
  expect(decideClock(row, given)).toEqual(expected);
});
