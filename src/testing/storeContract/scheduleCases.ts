import assert from 'node:assert/strict';
import { planBatch } from '../../store/planBatch.ts';
import type { Requests, Store } from '../../store/types.ts';
import { available } from '../../store/unavailable.ts';
import { claim, moved, worker } from './steps.ts';
import { type Cases, is, lastKinds, taskOf } from './storeCase.ts';

const HOUR_MS = 3_600_000;

async function schedule(store: Store, more: Partial<Requests['addSchedule']> = {}) {
  const { now } = available(await store.about());
  const plan = planBatch([{ title: 'nightly', queue: 'q' }]);
  const task = plan.type === 'planned' ? plan.tasks[0] : undefined;
  assert.ok(task);
  const nextDueAt = now + HOUR_MS;
  const request = {
    id: 'sched1',
    cron: null,
    everyMs: HOUR_MS,
    timezone: null,
    overlap: false,
    nextDueAt,
    task,
    ...more,
  };
  is(await store.addSchedule(request), { type: 'added' });
  return request;
}

const fire = (id: string, dueAt: number, taskId: string, more: object = {}) => ({
  ...{ id, dueAt, latestDueAt: dueAt, nextDueAt: dueAt + HOUR_MS, missed: 0, taskId },
  ...more,
});

/** Recurring tasks: the store keeps each due time for one call. */
export const scheduleCases: Cases = {
  'a due time adds one task, whichever process fires it, and only when it is due': async (
    store,
    { advance, connect },
  ) => {
    const { id, nextDueAt } = await schedule(store);
    is(await store.addSchedule({ ...(await schedule(store, { id: 'another' })), id }), { type: 'unchanged' });
    is(await store.fireSchedule(fire(id, nextDueAt, 'task-1')), { type: 'superseded' });
    is(available(await store.schedules({ dueOnly: true })), { schedules: [], nextDueAt });
    await advance(HOUR_MS);
    const due = available(await store.schedules({ dueOnly: true })).schedules;
    is(due[0], { id: 'another' });
    assert.equal(due.length, 2);
    const stores = await Promise.all([store, connect(), connect()]);
    const outcomes = await Promise.all(
      Array.from({ length: 9 }, (_, n) => (stores[n % 3] as Store).fireSchedule(fire(id, nextDueAt, `task-${n}x`))),
    );
    const fired = outcomes.filter((outcome) => outcome.type === 'fired');
    assert.equal(fired.length, 1);
    assert.equal(outcomes.filter(({ type }) => type === 'superseded').length, 8);
    is(available(await store.counts({ queue: 'q' })), { ready: 1 });
    const task = await taskOf(store, fired[0]?.type === 'fired' ? fired[0].taskId : '');
    is(task, { title: 'nightly', queue: 'q', status: 'ready' });
    is(available(await store.schedules()).schedules[1], {
      fired: 1,
      lastTaskId: task.id,
      nextDueAt: nextDueAt + HOUR_MS,
    });
    assert.deepEqual(await lastKinds(store, 2), ['task.added', 'schedule.fired']);
  },

  'it does not overlap itself, unless it may': async (store, { advance }) => {
    const { id, nextDueAt: first } = await schedule(store);
    await advance(HOUR_MS);
    is(await store.fireSchedule(fire(id, first, 'task-1')), { type: 'fired', taskId: 'task-1' });
    await advance(HOUR_MS);
    const second = fire(id, first + HOUR_MS, 'task-2', { missed: 2 });
    is(await store.fireSchedule(second), { type: 'skipped', unfinishedId: 'task-1' });
    is(await store.fireSchedule(second), { type: 'superseded' });
    is(await store.task({ id: 'task-2' }), { type: 'unknownTask' });
    is(available(await store.schedules()).schedules[0], { fired: 1, skipped: 1, missed: 2, lastTaskId: 'task-1' });
    const { lease } = await claim(store, await worker(store), { queue: 'q' });
    await store.complete({ lease, result: 'x' });
    await advance(HOUR_MS);
    is(await store.fireSchedule(fire(id, first + 2 * HOUR_MS, 'task-3')), { type: 'fired', taskId: 'task-3' });
    const { nextDueAt } = await schedule(store, { id: 'overlapping', overlap: true });
    await advance(2 * HOUR_MS);
    for (const n of [0, 1])
      is(await store.fireSchedule(fire('overlapping', nextDueAt + n * HOUR_MS, `over-${n}`)), { type: 'fired' });
  },

  'a paused one does nothing, a resumed one goes on later, a removed one is gone': async (store, { advance }) => {
    const { id, nextDueAt } = await schedule(store);
    is(await store.changeSchedule({ id, change: 'pause' }), { type: 'changed' });
    is(await store.changeSchedule({ id, change: 'pause' }), { type: 'unchanged' });
    await advance(HOUR_MS);
    is(available(await store.schedules({ dueOnly: true })), { schedules: [], nextDueAt: null });
    is(await store.fireSchedule(fire(id, nextDueAt, 'task-1')), { type: 'superseded' });
    const next = nextDueAt + 5 * HOUR_MS;
    is(await store.changeSchedule({ id, change: 'resume', nextDueAt: next }), { type: 'changed' });
    is(await store.changeSchedule({ id, change: 'resume' }), { type: 'unchanged' });
    is(available(await store.schedules()), { nextDueAt: next });
    is(await store.changeSchedule({ id, change: 'remove', actor: 'me' }), { type: 'changed' });
    is(await store.changeSchedule({ id, change: 'remove' }), { type: 'unknownSchedule' });
    is(available(await store.schedules()), { schedules: [], nextDueAt: null });
  },

  'schedules and the policy move with the store': async (store, { another }) => {
    const { id, nextDueAt, task } = await schedule(store, {
      cron: '0 3 * * *',
      everyMs: null,
      timezone: 'Europe/Berlin',
    });
    await store.setPolicy({ keepDoneMs: 5_000 });
    const there = await moved(store, another);
    is(available(await there.schedules()).schedules[0], { id, cron: '0 3 * * *', everyMs: null, nextDueAt, task });
    is(await there.policy(), { keepDoneMs: 5_000, dead: false, lastRunAt: null });
  },
};
