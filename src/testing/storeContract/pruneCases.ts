import assert from 'node:assert/strict';
import type { NewTask, Requests, Store } from '../../store/types.ts';
import { available } from '../../store/unavailable.ts';
import { add, addOne, claim, moved, type TestWorker, tryClaim, worker } from './steps.ts';
import { attemptsOf, type Cases, is, taskOf } from './storeCase.ts';

const DAY_MS = 86_400_000;

async function finish(store: Store, by: TestWorker, details: Requests['complete']['details'] = {}): Promise<string> {
  const { lease, task } = await claim(store, by);
  is(await store.complete({ lease, result: 'x', details }), { type: 'accepted' });
  return task.id;
}

async function done(store: Store, task: string | NewTask, by: TestWorker): Promise<string> {
  const id = await addOne(store, task);
  assert.equal(await finish(store, by), id);
  return id;
}

const prunableIds = async (store: Store, more: Partial<Requests['prunable']> = {}) =>
  available(await store.prunable({ olderThanMs: DAY_MS, ...more })).tasks.map(({ id }) => id);

const idsIn = async (store: Store) => available(await store.listTasks({ limit: 1_000 })).tasks.map(({ id }) => id);

/** Removing what has ended. */
export const pruneCases: Cases = {
  'only tasks that ended long enough ago may go, and never the newest': async (store, { advance }) => {
    const by = await worker(store);
    const [old] = [await done(store, { title: 'old', body: 'x'.repeat(1_000) }, by)];
    const cancelled = await addOne(store, 'cancelled');
    await store.cancel({ taskId: cancelled });
    const dead = await addOne(store, 'dead');
    await store.fail({ lease: (await claim(store, by)).lease, error: 'no', final: true });
    const waiting = await addOne(store, 'waiting');
    await advance(DAY_MS);
    const young = await done(store, { title: 'young', priority: 1 }, by);
    await advance(1);
    assert.deepEqual(await prunableIds(store), [old, cancelled]);
    assert.deepEqual(await prunableIds(store, { dead: true }), [old, cancelled, dead]);
    assert.deepEqual(await prunableIds(store, { queue: 'other' }), []);
    const ids = [old, cancelled, dead, waiting, young, 'unknown'];
    is(await store.prune({ olderThanMs: DAY_MS, ids }), { type: 'pruned', ids: [old, cancelled], attempts: 1 });
    assert.deepEqual(await idsIn(store), [dead, waiting, young]);
    is(await store.task({ id: old }), { type: 'unknownTask' });
    assert.deepEqual(await attemptsOf(store, old), []);
    await advance(DAY_MS);
    assert.deepEqual(await prunableIds(store), []);
    const next = await addOne(store, 'next');
    assert.deepEqual(await prunableIds(store), [young]);
    is((await claim(store, by)).task, { id: waiting });
    is((await claim(store, await worker(store, 'w2'))).task, { id: next });
  },

  'a task whose work waits for a person stays, and goes with its review': async (store, { advance }) => {
    const by = await worker(store);
    const taskId = await addOne(store, 'reviewed');
    const work = { branch: 'sg/one', baseCommit: 'b', headCommit: 'h' };
    assert.equal(await finish(store, by, work), taskId);
    await addOne(store, 'last');
    await advance(DAY_MS);
    assert.deepEqual(await prunableIds(store), []);
    is(await store.prune({ olderThanMs: DAY_MS, ids: [taskId] }), { type: 'pruned', ids: [] });
    await store.changeReview({ taskId, epoch: 1, from: ['waiting'], to: 'rejected' });
    await advance(DAY_MS);
    is(await store.prune({ olderThanMs: DAY_MS, ids: [taskId] }), { type: 'pruned', ids: [taskId] });
    const over = available(await store.reviews({ states: ['rejected'] }));
    assert.deepEqual(over.reviews, []);
  },

  'a task that another one may still need stays': async (store, { advance }) => {
    const by = await worker(store);
    const base = await done(store, { id: 'base', title: 'base' }, by);
    const parent = await done(store, { id: 'parent', title: 'parent' }, by);
    const [child, after, given] = await add(
      store,
      { title: 'child', parentId: parent },
      { title: 'after', dependsOn: [base] },
      { title: 'given up', dependsOn: [base] },
    );
    await addOne(store, { title: 'last', queue: 'other' });
    await store.cancel({ taskId: given });
    await advance(DAY_MS);
    assert.deepEqual(await prunableIds(store), [given]);
    is(await taskOf(store, after), { dependsOn: [{ taskId: base, met: true }], status: 'ready' });
    assert.equal(await finish(store, by), child);
    assert.equal(await finish(store, by), after);
    await advance(DAY_MS);
    // one that was cancelled can be requeued
    assert.deepEqual(await prunableIds(store), [parent, child, after, given]);
    is(await store.prune({ olderThanMs: DAY_MS, ids: [base, given] }), { ids: [given] });
    assert.deepEqual(await prunableIds(store), [base, parent, child, after]);
    is(await store.prune({ olderThanMs: DAY_MS, ids: [base] }), { ids: [base] });
    is(await taskOf(store, after), { dependsOn: [], state: 'done' });
  },

  'pages say what attempts left outside of the store': async (store, { advance }) => {
    const by = await worker(store);
    await add(store, 'a', 'b', 'c', 'd');
    const a = await finish(store, by, { branch: 'sg/a/1', worktree: '/w', baseCommit: 'b', headCommit: 'b' });
    const b = await finish(store, by, { tokens: 5 });
    const c = await finish(store, by, { wipRef: 'refs/stopgate/wip/c-1' });
    await advance(DAY_MS);
    const first = available(await store.prunable({ olderThanMs: DAY_MS, limit: 2 }));
    assert.deepEqual(
      first.tasks.map(({ id, left, attempts, events }) => ({ id, left, attempts, events })),
      [
        { id: a, left: [{ epoch: 1, branch: 'sg/a/1', worktree: '/w' }], attempts: 1, events: 3 },
        { id: b, left: [], attempts: 1, events: 3 },
      ],
    );
    const second = available(await store.prunable({ olderThanMs: DAY_MS, limit: 2, after: first.next ?? '' }));
    is(second.tasks[0], { id: c, title: 'c', state: 'done', epoch: 1, left: [{ wipRef: 'refs/stopgate/wip/c-1' }] });
    assert.equal(second.next, null);
  },

  'events of removed tasks go by an own step, and a feed reports that it missed some': async (store, { advance }) => {
    const by = await worker(store);
    const old = await done(store, 'old', by);
    const kept = await addOne(store, 'kept');
    const all = available(await store.events({}));
    assert.equal(all.missed, false);
    await advance(DAY_MS);
    const trim = { olderThanMs: DAY_MS, limit: 100 };
    const seen = all.events.at(-1)?.cursor ?? '';
    // that of its worker, which belongs to no task
    is(await store.trimEvents({ ...trim, dryRun: true }), { type: 'trimmed', count: 1, next: null });
    is(available(await store.events({})), { missed: false });
    is(await store.prune({ olderThanMs: DAY_MS, ids: [old] }), { ids: [old] });
    is(await store.trimEvents({ ...trim, dryRun: true }), { count: 4 });
    is(await store.trimEvents({ ...trim, limit: 2 }), { count: 2 });
    is(await store.trimEvents(trim), { count: 2 });
    is(await store.trimEvents(trim), { count: 0 });
    const left = available(await store.events({}));
    assert.deepEqual(
      left.events.map(({ kind, taskId }) => [kind, taskId]),
      [['task.added', kept]],
    );
    assert.equal(left.missed, true);
    is(available(await store.events({ newest: true })), { missed: true });
    is(available(await store.events({ newest: true, limit: 0 })), { missed: true });
    is(available(await store.events({ taskId: kept })), { missed: false });
    is(available(await store.events({ after: all.events[1]?.cursor })), { missed: true });
    is(available(await store.events({ after: seen })), { missed: false, events: [] });
    is(
      await store.notePruned({ tasks: 1, attempts: 1, events: 4, olderThanMs: DAY_MS, isPolicy: false, actor: 'me' }),
      {
        type: 'noted',
      },
    );
    is(available(await store.events({ newest: true, limit: 1 })).events[0], {
      kind: 'store.pruned',
      data: { tasks: 1, events: 4 },
    });
  },

  'a policy is one setting, and one caller at a time applies it': async (store, { advance, connect }) => {
    is(await store.policy(), { keepDoneMs: null, dead: false, lastRunAt: null });
    is(await store.takePolicyTurn({ everyMs: 1_000 }), { type: 'notNow' });
    is(await store.setPolicy({ keepDoneMs: DAY_MS, actor: 'me' }), { type: 'changed' });
    is(await store.setPolicy({ keepDoneMs: DAY_MS }), { type: 'unchanged' });
    const other = await connect();
    const turns = await Promise.all([store, other, store, other].map((one) => one.takePolicyTurn({ everyMs: 1_000 })));
    assert.deepEqual(turns.map(({ type }) => type).toSorted(), ['notNow', 'notNow', 'notNow', 'yours']);
    await advance(1_000);
    is(await store.takePolicyTurn({ everyMs: 1_000 }), { type: 'yours' });
    is(await store.policy(), { keepDoneMs: DAY_MS, lastRunAt: available(await store.about()).now });
    is(await store.setPolicy({ keepDoneMs: null }), { type: 'changed' });
    is(await store.takePolicyTurn({ everyMs: 0 }), { type: 'notNow' });
  },

  'what was trimmed is known after a move': async (store, { advance, another }) => {
    const by = await worker(store);
    const old = await done(store, 'old', by);
    const kept = await addOne(store, 'kept');
    await advance(DAY_MS);
    await store.prune({ olderThanMs: DAY_MS, ids: [old] });
    await store.trimEvents({ olderThanMs: DAY_MS, limit: 100 });
    const there = await moved(store, another);
    is(available(await there.events({})), { missed: true });
    is(await tryClaim(there, await worker(there, 'w2')), { type: 'claimed', task: { id: kept } });
  },
};
