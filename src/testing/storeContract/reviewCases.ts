import assert from 'node:assert/strict';
import type { Requests, Store } from '../../store/types.ts';
import { available } from '../../store/unavailable.ts';
import { add, addOne, claim, claimed, moved, type TestWorker, toVerify, worker } from './steps.ts';
import { attemptsOf, type Cases, is, lastKinds, taskOf } from './storeCase.ts';

const WORK = { branch: 'sg/one', baseCommit: 'b', headCommit: 'h' };

const open = async (store: Store, request: Requests['reviews'] = {}) => available(await store.reviews(request)).reviews;

/** Adds a task, claims it and completes it with work on a branch. */
async function finished(store: Store, by: TestWorker, task: Parameters<typeof addOne>[1] = 'a task'): Promise<string> {
  await addOne(store, task);
  const { lease, task: found } = await claim(store, by);
  await store.complete({ lease, result: 'done', details: WORK });
  return found.id;
}

const ACCEPT = { from: ['waiting', 'returned'], to: 'accepted' } as const;
const TAKE = { from: ['accepted'], to: 'landing' } as const;

/** What waits for a person when a task is done, and how that ends. */
export const reviewCases: Cases = {
  'work on a branch waits for review when its task is done': async (store) => {
    const { lease, task, by } = await claimed(store);
    await store.heartbeat({ ...by, lease, details: { branch: 'sg/one', baseCommit: 'b' } });
    is(await open(store), []);
    await store.complete({ lease, result: 'r', details: { headCommit: 'h' } });
    const [review, ...others] = await open(store);
    assert.equal(others.length, 0);
    is(review, {
      taskId: task.id,
      epoch: 1,
      attemptId: lease.attemptId,
      state: 'waiting',
      title: 'a task',
      queue: 'default',
    });
    is(review, { details: WORK, result: 'r', repository: null, reviewedCommit: null, reason: null, leaderEpoch: null });
    // what it cost may be known only later
    await store.heartbeat({ ...by, lease, details: { costUsd: 2 } });
    is((await open(store))[0]?.details, { ...WORK, costUsd: 2 });
  },

  'work without a branch or without a change does not wait for review': async (store) => {
    const by = await worker(store);
    for (const details of [undefined, { ...WORK, headCommit: 'b' }]) {
      await addOne(store);
      const { lease } = await claim(store, by);
      await store.complete({ lease, result: '', ...(details && { details }) });
    }
    assert.deepEqual(await open(store), []);
  },

  'work that an earlier attempt began waits for review whole, also if the last attempt added nothing': async (
    store,
  ) => {
    const by = await worker(store);
    const taskId = await addOne(store);
    const first = await claim(store, by);
    const begun = { branch: 'sg/1', baseCommit: 'b', headCommit: 'h' };
    await store.release({ lease: first.lease, reason: 'rate_limited', details: begun });
    const second = await claim(store, by);
    // one that had no folder yet breaks no chain
    await store.release({ lease: second.lease, reason: 'rate_limited' });
    const third = await claim(store, by);
    const same = { branch: 'sg/3', baseCommit: 'h', headCommit: 'h', continuedFrom: 'sg/1' };
    await store.complete({ lease: third.lease, result: '', details: same });
    const [review] = await open(store);
    is(review, { taskId, epoch: 3, details: { ...same, baseCommit: 'b' } });
    await store.limitReviews({ queue: 'default', limit: 1 });
    is(await store.reviewLimits({}), { limits: [{ queue: 'default', limit: 1, waiting: 1 }] });
    is((await attemptsOf(store, taskId))[2], { details: same });
  },

  'attempts that changed nothing do not wait for review, and a new start is a new base': async (store) => {
    const by = await worker(store);
    for (const [headCommit, more] of [
      ['b', { branch: 'sg/2', baseCommit: 'b', headCommit: 'b', continuedFrom: 'sg/1' }],
      ['h', { branch: 'sg/2', baseCommit: 'n', headCommit: 'n' }],
    ] as const) {
      await addOne(store);
      const first = await claim(store, by);
      const begun = { branch: 'sg/1', baseCommit: 'b', headCommit };
      await store.release({ lease: first.lease, reason: 'rate_limited', details: begun });
      const second = await claim(store, by);
      await store.complete({ lease: second.lease, result: '', details: more });
    }
    assert.deepEqual(await open(store), []);
  },

  'work that is verified waits for review after its verification': async (store) => {
    const { lease, task, by } = await claimed(store, { title: 'x', verify: 'npm test' });
    await store.heartbeat({ ...by, lease, details: { branch: 'sg/one' } });
    await store.complete({ lease, result: 'r', details: { headCommit: 'h' } });
    assert.deepEqual(await open(store), []);
    const details = { verifiedCommit: 'h' };
    await store.settleVerification({ ...(await toVerify(store)), verdict: 'pass', details });
    is((await open(store))[0], { taskId: task.id, state: 'waiting', details });
  },

  'a completion that claims the next task leaves its work for review': async (store) => {
    await addOne(store, 'first');
    await addOne(store, 'second');
    const by = await worker(store);
    const { lease } = await claim(store, by);
    await store.heartbeat({ ...by, lease, details: { branch: 'sg/one' } });
    is(await store.complete({ lease, result: 'r', next: { claimKey: 'k2' } }), { next: { type: 'claimed' } });
    is(await open(store), [{ title: 'first', state: 'waiting' }]);
  },

  'a review changes only from the states that were named, and keeps what is not given': async (store) => {
    const by = await worker(store);
    const taskId = await finished(store, by);
    const own = { taskId, epoch: 1 };
    const place = {
      repository: '/r',
      target: 'main',
      method: 'squash',
      reviewedCommit: 'h',
      returnTo: 'queue',
    } as const;
    is(await store.changeReview({ ...own, ...TAKE }), { type: 'refused', reason: 'state', state: 'waiting' });
    is(await store.changeReview({ ...own, ...ACCEPT, ...place, actor: 'ann' }), { type: 'changed', state: 'accepted' });
    is(await store.changeReview({ ...own, ...ACCEPT }), { type: 'refused', reason: 'state', state: 'accepted' });
    is((await open(store))[0], { ...place, state: 'accepted', actor: 'ann' });
    const back = { from: ['accepted'], to: 'returned', reason: 'a.txt', target: null } as const;
    is(await store.changeReview({ ...own, ...back }), { type: 'changed' });
    is((await open(store))[0], { ...place, state: 'returned', target: null, reason: 'a.txt', actor: null });
    is(await store.changeReview({ taskId, epoch: 2, ...ACCEPT }), { type: 'unknownReview' });
    is(await store.changeReview({ taskId: 'nope', epoch: 1, ...ACCEPT }), { type: 'unknownReview' });
    assert.deepEqual(await lastKinds(store, 2), ['task.reviewed', 'task.reviewed']);
  },

  'only the leader of a landing queue changes what it lands': async (store, { advance }) => {
    const by = await worker(store);
    const taskId = await finished(store, by);
    await store.changeReview({ taskId, epoch: 1, ...ACCEPT, repository: '/r', target: 'main' });
    const led = await store.lead({ name: 'land', holder: 'p1', ttlMs: 1_000 });
    assert.ok(led.type === 'leading');
    const first = { name: 'land', holder: 'p1', epoch: led.epoch };
    is(await store.changeReview({ taskId, epoch: 1, ...TAKE, leader: first }), { type: 'changed' });
    is((await open(store))[0], { state: 'landing', leaderEpoch: led.epoch });
    await advance(1_001);
    const next = await store.lead({ name: 'land', holder: 'p2', ttlMs: 1_000 });
    assert.ok(next.type === 'leading');
    const done = { taskId, epoch: 1, from: ['landing'], to: 'landed', landedCommit: 'm' } as const;
    is(await store.changeReview({ ...done, leader: first }), { type: 'notLeading' });
    is((await open(store))[0], { state: 'landing', landedCommit: null });
    const second = { name: 'land', holder: 'p2', epoch: next.epoch };
    is(await store.changeReview({ ...done, leader: second }), { type: 'changed', state: 'landed' });
    assert.deepEqual(await open(store), []);
    is((await open(store, { states: ['landed'] }))[0], { landedCommit: 'm', leaderEpoch: next.epoch });
  },

  'a review names the process that may land it now': async (store, { advance }) => {
    const by = await worker(store);
    await store.changeReview({
      ...{ taskId: await finished(store, by), epoch: 1, ...ACCEPT },
      ...{ repository: '/r', target: 'main' },
    });
    is((await open(store))[0], { landingHolder: null });
    await store.lead({ name: 'landing /r other', holder: 'p1', ttlMs: 1_000 });
    is((await open(store))[0], { landingHolder: null });
    await store.lead({ name: 'landing /r main', holder: 'p2', ttlMs: 1_000 });
    is((await open(store))[0], { landingHolder: 'p2' });
    await advance(1_001);
    is((await open(store))[0], { landingHolder: null });
  },

  'lists the reviews of a queue, a task, or a landing queue': async (store) => {
    const by = await worker(store);
    const first = await finished(store, by);
    await store.changeReview({ taskId: first, epoch: 1, ...ACCEPT, repository: '/r', target: 'main' });
    await addOne(store, { title: 'other', queue: 'q2' });
    const { lease } = await claim(store, by, { queue: 'q2' });
    await store.complete({ lease, result: '', details: WORK });
    const titles = async (request: Requests['reviews']) => (await open(store, request)).map(({ title }) => title);
    assert.deepEqual(await titles({}), ['a task', 'other']);
    assert.deepEqual(await titles({ limit: 1 }), ['a task']);
    assert.deepEqual(await titles({ queue: 'q2' }), ['other']);
    assert.deepEqual(await titles({ taskId: first }), ['a task']);
    assert.deepEqual(await titles({ repository: '/r', target: 'main' }), ['a task']);
    assert.deepEqual(await titles({ repository: '/r', target: 'next' }), []);
    assert.deepEqual(await titles({ states: ['waiting'] }), ['other']);
    assert.deepEqual(await titles({ states: [] }), []);
  },

  'rejected work goes back to the queue with its reason, or stays ended': async (store) => {
    const by = await worker(store);
    const taskId = await finished(store, by, { title: 'x', dedupeKey: 'k' });
    const reject = { taskId, epoch: 1, from: ['waiting'], to: 'rejected', reason: 'no tests' } as const;
    is(await store.changeReview({ ...reject, requeue: { notes: 'add tests' }, actor: 'ann' }), { type: 'changed' });
    is(await taskOf(store, taskId), { status: 'ready', epoch: 1, failures: 0, countedFrom: 1, lastError: 'no tests' });
    is((await attemptsOf(store, taskId))[0], { state: 'failed', outcome: 'rejected', error: 'no tests' });
    assert.deepEqual(await lastKinds(store, 2), ['task.reviewed', 'task.reopened']);
    const again = await claim(store, by);
    is(again, {
      task: { id: taskId, epoch: 2 },
      previous: { checkpoint: 'add tests', error: 'no tests', details: WORK },
    });
    await store.complete({ lease: again.lease, result: '', details: WORK });
    is(await open(store), [{ taskId, epoch: 2, state: 'waiting' }]);
    is(await store.changeReview({ ...reject, epoch: 2 }), { type: 'changed', state: 'rejected' });
    is(await taskOf(store, taskId), { state: 'done' });
    assert.deepEqual(await open(store), []);
  },

  'tasks that were not started wait again for one whose work was rejected': async (store) => {
    const by = await worker(store);
    const taskId = await finished(store, by);
    const after = { title: 'after', dependsOn: [taskId] };
    const [started, ready, also] = await add(store, after, after, after);
    const { lease } = await claim(store, by, { taskId: started });
    const reject = { taskId, epoch: 1, from: ['waiting'], to: 'rejected', reason: 'no' } as const;
    await store.changeReview({ ...reject, requeue: { notes: 'no' } });
    const kinds = ['task.reopened', 'task.dependencyUnmet', 'task.dependencyUnmet'] as const;
    assert.deepEqual(await lastKinds(store, 3), kinds);
    for (const id of [ready, also]) is(await taskOf(store, id), { status: 'blocked', unmetDependencies: 1 });
    is(await taskOf(store, started), { status: 'claimed', unmetDependencies: 0 });
    await store.release({ lease, reason: 'unserved' });
    is(await taskOf(store, started), { status: 'ready' });
    const again = await claim(store, by, { taskId });
    await store.complete({ lease: again.lease, result: '', details: WORK });
    for (const id of [ready, also]) is(await taskOf(store, id), { status: 'ready', unmetDependencies: 0 });
  },

  'rejected work does not go back beside a task with its key': async (store) => {
    const by = await worker(store);
    const taskId = await finished(store, by, { title: 'x', dedupeKey: 'k' });
    const newer = await addOne(store, { title: 'x', dedupeKey: 'k' });
    const reject = { taskId, epoch: 1, from: ['waiting'], to: 'rejected', requeue: { notes: '' } } as const;
    is(await store.changeReview(reject), { type: 'refused', reason: 'duplicate', existingId: newer });
    is((await open(store))[0], { state: 'waiting' });
    is(await taskOf(store, taskId), { state: 'done' });
  },

  'a queue can have a limit of what waits for a person': async (store) => {
    const by = await worker(store);
    const limits = async (request: Requests['reviewLimits'] = {}) =>
      available(await store.reviewLimits(request)).limits;
    assert.deepEqual(await limits(), []);
    is(await store.limitReviews({ queue: 'default', limit: 2 }), { type: 'changed' });
    is(await store.limitReviews({ queue: 'default', limit: 2 }), { type: 'unchanged' });
    is(await store.limitReviews({ queue: 'other', limit: 1 }), { type: 'changed' });
    const taskId = await finished(store, by);
    await finished(store, by);
    assert.deepEqual(await limits(), [
      { queue: 'default', limit: 2, waiting: 2 },
      { queue: 'other', limit: 1, waiting: 0 },
    ]);
    await store.changeReview({ taskId, epoch: 1, ...ACCEPT });
    assert.deepEqual(await limits({ queue: 'default' }), [{ queue: 'default', limit: 2, waiting: 1 }]);
    await store.changeReview({ taskId, epoch: 1, from: ['accepted'], to: 'returned' });
    assert.deepEqual(await limits({ queue: 'default' }), [{ queue: 'default', limit: 2, waiting: 2 }]);
    is(await store.limitReviews({ queue: 'default', limit: null }), { type: 'changed' });
    assert.deepEqual(await limits(), [{ queue: 'other', limit: 1, waiting: 0 }]);
    assert.deepEqual(await lastKinds(store, 1), ['queue.reviewsLimited']);
  },

  'reviews move to another store': async (store, { another }) => {
    const by = await worker(store);
    const taskId = await finished(store, by);
    await store.changeReview({ taskId, epoch: 1, ...ACCEPT, repository: '/r', target: 'main', reviewedCommit: 'h' });
    await store.limitReviews({ queue: 'default', limit: 7 });
    const before = await open(store);
    const to = await moved(store, another);
    assert.deepEqual(await open(to), before);
    is(available(await to.reviewLimits({})).limits, [{ queue: 'default', limit: 7 }]);
    is(await to.changeReview({ taskId, epoch: 1, ...TAKE }), { type: 'changed' });
  },
};
