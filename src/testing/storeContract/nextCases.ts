import assert from 'node:assert/strict';
import { available } from '../../store/unavailable.ts';
import { add, addOne, claim, completeNext, newKey, worker } from './steps.ts';
import { type Cases, is, lastKinds, taskOf, workerOf } from './storeCase.ts';

/** Completing a task and claiming the next in one call: the same outcome as two calls. */
export const nextCases: Cases = {
  'one call completes a task and claims the next': async (store, { advance }) => {
    const [first, second] = await add(store, 'first', { title: 'second', body: 'Read it.', timeBudgetMs: 60_000 });
    const by = await worker(store);
    const { lease } = await claim(store, by);
    await advance(1_000);
    const claimKey = newKey();
    const outcome = available(await store.complete({ lease, result: 'done', next: { claimKey } }));
    is(outcome, { type: 'accepted', taskState: 'done', late: false });
    is((outcome as { next: object }).next, {
      type: 'claimed',
      lease: { taskId: second, attemptId: claimKey, epoch: 1, ...by },
      task: { id: second, title: 'second', body: 'Read it.', state: 'claimed' },
      attempt: { state: 'active', id: claimKey },
      attemptNumber: 1,
      previous: null,
    });
    is(await taskOf(store, first), { state: 'done', result: 'done' });
    const { attemptId, taskId, lastClaimedAt, lastSettledAt } = await workerOf(store, 'w1');
    assert.deepEqual([attemptId, taskId], [claimKey, second]);
    assert.equal(lastClaimedAt, lastSettledAt);
    assert.deepEqual(await lastKinds(store, 2), ['task.completed', 'task.claimed']);
  },

  'a repeated call returns the same outcome': async (store) => {
    await add(store, 'first', 'second', 'third');
    const { lease } = await claim(store, await worker(store));
    const request = { lease, result: 'done', next: { claimKey: newKey() } };
    const outcome = await store.complete(request);
    assert.deepEqual(await store.complete(request), outcome);
    is(available(await store.counts()), { done: 1, claimed: 1, ready: 1 });
  },

  'without a next task it reports why, and the worker is idle': async (store, { advance }) => {
    await add(store, 'only', { title: 'later', delayMs: 60_000 });
    const by = await worker(store);
    const { lease } = await claim(store, by);
    const { lastClaimedAt } = await workerOf(store, 'w1');
    await advance(1_000);
    is(await completeNext(store, lease), { type: 'accepted', next: { type: 'empty', ready: 0, delayed: 1 } });
    const after = await workerOf(store, 'w1');
    is(after, { attemptId: null, lastClaimedAt, idleSince: after.lastSettledAt });
  },

  'nothing is claimed when the completion is refused': async (store) => {
    await add(store, 'first', 'second');
    const { lease } = await claim(store, await worker(store));
    const refused = await completeNext(store, { ...lease, epoch: 7 });
    assert.deepEqual(refused, { type: 'unknownAttempt' });
    is(available(await store.counts()), { claimed: 1, ready: 1, done: 0 });
    is(await workerOf(store, 'w1'), { attemptId: lease.attemptId });
  },

  'the next is chosen as a claim chooses': async (store) => {
    await addOne(store, 'first');
    const by = await worker(store);
    let { lease } = await claim(store, by);
    const [, build, named, elsewhere] = await add(
      store,
      { title: 'test', type: 'test' },
      { title: 'build', type: 'build' },
      'named',
      { title: 'elsewhere', queue: 'other' },
    );
    const chosen = async (next: object): Promise<string> => {
      const outcome = await store.complete({ lease, result: 'done', next: { claimKey: newKey(), ...next } });
      if (outcome.type !== 'accepted' || outcome.next?.type !== 'claimed') throw new Error(JSON.stringify(outcome));
      lease = outcome.next.lease;
      return outcome.next.task.id;
    };
    assert.equal(await chosen({ types: ['build'] }), build);
    assert.equal(await chosen({ taskId: named }), named);
    assert.equal(await chosen({ queue: 'other' }), elsewhere);
  },

  'a task that waited for the completed one may be the next': async (store) => {
    const [base, , dependant] = await add(
      store,
      { id: 'base', title: 'base', priority: 1 },
      { title: 'other', priority: 5 },
      { title: 'waits', priority: 0, dependsOn: ['base'] },
    );
    const { lease } = await claim(store, await worker(store));
    assert.equal(lease.taskId, base);
    is(await completeNext(store, lease), { next: { type: 'claimed', task: { id: dependant } } });
    assert.deepEqual(await lastKinds(store, 3), ['task.completed', 'task.dependencyMet', 'task.claimed']);
  },

  'a task to be verified is left to its verifier': async (store) => {
    await add(store, { title: 'checked', verify: 'npm test', dedupeKey: 'once' }, 'second');
    const { lease } = await claim(store, await worker(store));
    is(await completeNext(store, lease), {
      taskState: 'verifying',
      next: { type: 'claimed', task: { title: 'second' } },
    });
    is(await store.takeVerification({ holder: 'v', ttlMs: 1_000 }), { type: 'taken', task: { title: 'checked' } });
    is(available(await store.addTasks({ tasks: [{ title: 'again', dedupeKey: 'once' }] })), {
      tasks: [{ created: false }],
    });
  },

  'what keeps a worker from claiming keeps it here': async (store) => {
    await add(store, 'first', 'second', 'third');
    const by = await worker(store, 'w1', { accountKey: 'acme' });
    const { lease } = await claim(store, by);
    await store.pauseAccount({ key: 'acme', until: { ms: 60_000 }, source: 'test' });
    is(await completeNext(store, lease), { type: 'accepted', next: { type: 'refused', reason: 'accountPaused' } });
    await store.resumeAccount({ key: 'acme' });
    const second = await claim(store, by);
    await store.pauseQueue({ queue: 'default' });
    is(await completeNext(store, second.lease), { next: { type: 'empty', queuePaused: true } });
    await store.resumeQueue({ queue: 'default' });
    const third = await claim(store, by);
    await store.drainWorker(by);
    is(await completeNext(store, third.lease), { next: { type: 'refused', reason: 'draining' } });
  },

  'a key that was used is refused, and the completion stands': async (store) => {
    await add(store, 'first', 'second', 'third');
    const by = await worker(store);
    const { lease } = await claim(store, by);
    const other = await claim(store, await worker(store, 'w2'));
    const next = { claimKey: other.lease.attemptId };
    is(await store.complete({ lease, result: 'done', next }), {
      type: 'accepted',
      next: { type: 'refused', reason: 'claimKeyUsed' },
    });
    is(await workerOf(store, 'w1'), { attemptId: null });
  },

  'the next can be an offer, and an offer can be completed': async (store, { advance }) => {
    await add(store, 'first', 'second', 'third');
    const by = await worker(store);
    const { lease } = await claim(store, by, { offerMs: 5_000 });
    const outcome = available(
      await store.complete({ lease, result: 'done', next: { claimKey: newKey(), offerMs: 5_000 } }),
    );
    is(outcome, { type: 'accepted', next: { type: 'claimed', attempt: { state: 'offered' } } });
    await advance(6_000);
    // it was not acknowledged, so it is the next again
    const { lease: again, task } = await claim(store, await worker(store, 'w2'));
    is(task, { title: 'second', releases: 1 });
    assert.equal(again.epoch, 2);
  },
};
