import assert from 'node:assert/strict';
import type { NewTask, Store } from '../../store/types.ts';
import { available } from '../../store/unavailable.ts';
import { add, addOne, claim, completeNext, lose, moved, newKey, tryClaim, worker } from './steps.ts';
import { type Cases, is, taskOf } from './storeCase.ts';

const keyed = (title: string, more: Partial<NewTask> = {}): NewTask => ({ title, concurrencyKey: 'repo:web', ...more });

const limitsOf = async (store: Store) => available(await store.limits());

/** Concurrency keys, and limits of queues. */
export const limitCases: Cases = {
  'a key lets one task be in progress, and others pass it by': async (store) => {
    const [first, second, other] = await add(store, keyed('a'), keyed('b'), 'without a key');
    const [one, two, three] = [await worker(store, 'w1'), await worker(store, 'w2'), await worker(store, 'w3')];
    is(await store.readiness({}), { ready: 2, limited: 1 });
    const held = await claim(store, one);
    assert.equal(held.task.id, first);
    is(held.task, { concurrencyKey: 'repo:web', concurrencyLimit: 1 });
    assert.equal((await claim(store, two)).task.id, other);
    is(await tryClaim(store, three), { type: 'empty', ready: 0, limited: 1 });
    is(await tryClaim(store, three, { types: ['task'] }), { type: 'empty', ready: 0, limited: 1 });
    is(await tryClaim(store, three, { taskId: second }), { type: 'empty', limited: 1 });
    is(await limitsOf(store), { queues: [], keys: [{ key: 'repo:web', inProgress: 1 }] });
    is(await store.complete({ lease: held.lease, result: 'done' }), { type: 'accepted' });
    assert.equal((await claim(store, three)).task.id, second);
  },

  'what waits for its key is counted in its queue': async (store) => {
    await add(store, keyed('a'), keyed('b', { delayMs: 1_000 }), keyed('c', { queue: 'other' }));
    is(await store.counts({ queue: 'default' }), { ready: 1, delayed: 1, done: 0 });
  },

  'a completion with a claim takes the next task of its key': async (store) => {
    const [, second] = await add(store, keyed('a'), keyed('b'));
    const { lease } = await claim(store, await worker(store));
    is(await completeNext(store, lease), { type: 'accepted', next: { type: 'claimed', task: { id: second } } });
  },

  'a key holds over all queues, and while a task is being verified': async (store) => {
    const [first] = await add(store, keyed('a', { verify: 'npm test' }), keyed('b', { queue: 'other' }));
    const one = await worker(store);
    const { lease } = await claim(store, one);
    is(await tryClaim(store, await worker(store, 'w2'), { queue: 'other' }), { type: 'empty', limited: 1 });
    is(await store.complete({ lease, result: 'done' }), { taskState: 'verifying' });
    is(await tryClaim(store, one, { queue: 'other' }), { type: 'empty', limited: 1 });
    const taken = available(await store.takeVerification({ holder: 'v', ttlMs: 1_000 }));
    assert.ok(taken.type === 'taken' && taken.task.id === first);
    await store.settleVerification({ taskId: first, verifyEpoch: taken.verifyEpoch, verdict: 'pass' });
    is(await tryClaim(store, one, { queue: 'other' }), { type: 'claimed' });
  },

  'a key may let several in': async (store) => {
    await add(store, ...['a', 'b', 'c'].map((title) => keyed(title, { concurrencyLimit: 2 })));
    is(await store.readiness({}), { ready: 2, limited: 1 });
    await claim(store, await worker(store, 'w1'));
    await claim(store, await worker(store, 'w2'));
    is(await tryClaim(store, await worker(store, 'w3')), { type: 'empty', limited: 1 });
  },

  'the best task of all keys comes first, and each key keeps its order': async (store, { advance }) => {
    const later = await addOne(store, { title: 'later', priority: 1, delayMs: 5_000, concurrencyKey: 'k' });
    const [low, high] = await add(store, { title: 'low', priority: 200 }, keyed('high', { priority: 50 }));
    const [one, two, three] = [await worker(store, 'w1'), await worker(store, 'w2'), await worker(store, 'w3')];
    is(await store.readiness({}), { ready: 2, delayed: 1, limited: 0 });
    assert.equal((await claim(store, one)).task.id, high);
    assert.equal((await claim(store, two)).task.id, low);
    is(await tryClaim(store, three), { type: 'empty', delayed: 1 });
    await advance(5_000);
    assert.equal((await claim(store, three)).task.id, later);
  },

  'a lost, failed, released or cancelled task frees its key': async (store, { advance }) => {
    await add(
      store,
      ...['a', 'b', 'c', 'd', 'e'].map((title) => keyed(title, { backoffMs: 1_000_000, maxReclaims: 9 })),
    );
    const one = await worker(store, 'w1');
    await store.fail({ lease: (await claim(store, one)).lease, error: 'no' });
    await store.release({ lease: (await claim(store, one)).lease, reason: 'released', delayMs: 1_000_000 });
    await store.cancel({ taskId: (await claim(store, one)).task.id });
    await claim(store, one);
    await lose(store, one);
    assert.equal((await claim(store, await worker(store, 'w2'))).task.title, 'e');
    await advance(1);
  },

  'waiting for work does not end for a task that a limit keeps back': async (store, { passing, connect }) => {
    await add(store, keyed('a'), keyed('b'));
    const { lease } = await claim(store, await worker(store));
    is(await passing(store.waitForWork({ timeoutMs: 1_000 })), { type: 'timedOut' });
    const waits = passing(store.waitForWork({ timeoutMs: 600_000 }));
    await (await connect()).complete({ lease, result: 'done' });
    is(await waits, { type: 'ready' });
  },

  'a queue with a limit has at most that many tasks in progress': async (store) => {
    is(await store.limitQueue({ queue: 'default', limit: 2, actor: 'me' }), { type: 'changed' });
    is(await store.limitQueue({ queue: 'default', limit: 2 }), { type: 'unchanged' });
    await add(store, 'a', 'b', 'c', { title: 'd', queue: 'other' });
    const names = ['w1', 'w2', 'w3', 'w4'];
    const [one, two, three, four] = await Promise.all(names.map((name) => worker(store, name)));
    assert.ok(one && two && three && four);
    is(await store.readiness({}), { ready: 2, limited: 1 });
    const first = await claim(store, one);
    const second = await claim(store, two);
    is(await tryClaim(store, three), { type: 'empty', ready: 0, limited: 1 });
    is(await tryClaim(store, four, { queue: 'other' }), { type: 'claimed' });
    is(await limitsOf(store), { queues: [{ queue: 'default', limit: 2, inProgress: 2 }], keys: [] });
    is(await completeNext(store, second.lease), { next: { type: 'claimed', task: { title: 'c' } } });
    is(await store.complete({ lease: first.lease, result: 'x' }), { type: 'accepted' });
    await add(store, 'e', 'f');
    is(await store.limitQueue({ queue: 'default', limit: null }), { type: 'changed' });
    is(await tryClaim(store, one), { type: 'claimed' });
    is(await tryClaim(store, three), { type: 'claimed' });
    is(await limitsOf(store), { queues: [] });
  },

  'a key can be changed and removed': async (store) => {
    const [, second] = await add(store, keyed('a'), keyed('b'));
    await claim(store, await worker(store, 'w1'));
    const two = await worker(store, 'w2');
    is(await tryClaim(store, two), { type: 'empty', limited: 1 });
    is(await store.amendTask({ taskId: second, concurrencyLimit: 2 }), { type: 'amended' });
    is(await store.readiness({}), { ready: 1, limited: 0 });
    is(await store.amendTask({ taskId: second, concurrencyKey: 'mine', concurrencyLimit: null }), { type: 'amended' });
    is(await taskOf(store, second), { concurrencyKey: 'mine', concurrencyLimit: null });
    is(await store.amendTask({ taskId: second, concurrencyKey: null }), { type: 'amended' });
    is(await taskOf(store, second), { concurrencyKey: null });
    assert.equal((await claim(store, two)).task.id, second);
    is(await store.addTasks({ tasks: [{ title: 'x', concurrencyLimit: 2 }] }), { type: 'refused', problem: 'invalid' });
  },

  'sixteen workers that claim together get as many tasks as a key allows': async (store, { connect }) => {
    await add(store, ...Array.from({ length: 40 }, (_, n) => keyed(`t${n}`, { concurrencyLimit: 3 })));
    const stores = await Promise.all([store, connect(), connect(), connect()]);
    const workers = await Promise.all(Array.from({ length: 16 }, (_, n) => worker(store, `w${n}`)));
    const outcomes = await Promise.all(
      workers.map((by, n) => (stores[n % stores.length] as Store).claim({ ...by, claimKey: newKey() })),
    );
    assert.equal(outcomes.filter(({ type }) => type === 'claimed').length, 3);
    is(await limitsOf(store), { keys: [{ key: 'repo:web', inProgress: 3 }] });
  },

  'limits and keys move with the store': async (store, { another }) => {
    await add(store, keyed('a'), keyed('b'));
    await store.limitQueue({ queue: 'other', limit: 1 });
    const there = await moved(store, another);
    is(await limitsOf(there), { queues: [{ queue: 'other', limit: 1, inProgress: 0 }] });
    await claim(there, await worker(there, 'w1'));
    is(await tryClaim(there, await worker(there, 'w2')), { type: 'empty', limited: 1 });
  },
};
