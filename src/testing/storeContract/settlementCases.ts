import assert from 'node:assert/strict';
import { addOne, claim, claimed, completeNext, lose, worker } from './steps.ts';
import { attemptsOf, type Cases, is, taskOf, workerOf } from './storeCase.ts';

/** Completing, failing and releasing: once, by the holder of the task. */
export const settlementCases: Cases = {
  'a completion is accepted once, and a repeated one gets the same answer': async (store, { advance }) => {
    const { lease, task } = await claimed(store);
    await advance(1_000);
    const outcome = await store.complete({ lease, result: 'first', details: { headCommit: 'abc' } });
    assert.deepEqual(outcome, { type: 'accepted', taskState: 'done', late: false });
    assert.deepEqual(await store.complete({ lease, result: 'second' }), outcome);
    is(await taskOf(store, task.id), { state: 'done', result: 'first', attemptId: lease.attemptId, epoch: 1 });
    const attempts = await attemptsOf(store, task.id);
    is(attempts[0], { state: 'succeeded', result: 'first', details: { headCommit: 'abc' } });
    const { idleSince, lastSettledAt } = await workerOf(store, 'w1');
    assert.equal(idleSince, lastSettledAt);
  },

  'a late completion counts while no worker has the task, and revokes the penalty': async (store) => {
    const { lease, by, task } = await claimed(store);
    await lose(store, by);
    is(await taskOf(store, task.id), { state: 'queued', reclaims: 1, epoch: 1 });
    is(await store.complete({ lease, result: 'late' }), { type: 'accepted', taskState: 'done', late: true });
    is(await taskOf(store, task.id), { state: 'done', result: 'late', reclaims: 0 });
    is((await attemptsOf(store, task.id))[0], { state: 'succeeded' });
  },

  'a completion after another claim is refused and kept': async (store, { advance }) => {
    const { lease, by, task } = await claimed(store);
    await lose(store, by);
    await advance(60_000);
    const second = await claim(store, await worker(store, 'w2'));
    is(await store.complete({ lease, result: 'too late' }), { type: 'superseded', epoch: 2, taskState: 'claimed' });
    is(await store.complete({ lease, result: 'again' }), { type: 'superseded', epoch: 2 });
    is(await taskOf(store, task.id), { state: 'claimed', result: null, attemptId: second.lease.attemptId });
    is(await store.complete({ lease: second.lease, result: 'good' }), { type: 'accepted' });
    const attempts = await attemptsOf(store, task.id);
    is(attempts[0], { state: 'superseded', lateResult: 'too late', result: null });
    is(attempts[1], { state: 'succeeded', result: 'good' });
  },

  'a completion is refused after a newer claim even when that one was given up too': async (store, { advance }) => {
    const { lease, by, task } = await claimed(store);
    await lose(store, by);
    await advance(60_000);
    const second = await worker(store, 'w2');
    const { lease: newer } = await claim(store, second);
    await lose(store, second);
    is(await taskOf(store, task.id), { state: 'queued', epoch: 2 });
    is(await store.complete({ lease, result: 'old' }), { type: 'superseded', epoch: 2, taskState: 'queued' });
    is(await taskOf(store, task.id), { state: 'queued', result: null, reclaims: 2 });
    is(await store.complete({ lease: newer, result: 'new' }), { type: 'accepted', late: true });
    is(await taskOf(store, task.id), { result: 'new', reclaims: 1 });
  },

  'a superseded worker changes nothing by any operation': async (store, { advance }) => {
    const { lease, by, task } = await claimed(store, { title: 'x', timeBudgetMs: 1_000 });
    await lose(store, by);
    await advance(60_000);
    await claim(store, await worker(store, 'w2'));
    const before = await taskOf(store, task.id);
    const superseded = { type: 'superseded', epoch: 2 };
    is(await store.fail({ lease, error: 'x' }), superseded);
    is(await store.release({ lease, reason: 'released' }), superseded);
    is(await store.extend({ lease, byMs: 1 }), superseded);
    is(await store.acknowledge({ lease }), superseded);
    is(await store.complete({ lease, result: 'x' }), superseded);
    assert.deepEqual(await taskOf(store, task.id), before);
  },

  'a lease must be right in every part': async (store) => {
    const { lease, task } = await claimed(store);
    const otherTask = await addOne(store);
    const { lease: other } = await claim(store, await worker(store, 'w2'));
    const wrong = [
      { ...lease, taskId: other.taskId },
      { ...lease, attemptId: other.attemptId },
      { ...lease, workerId: other.workerId },
      { ...other, workerId: lease.workerId },
      { ...lease, epoch: 2 },
      { ...lease, incarnation: 2 },
      { ...lease, workerId: 'w2' },
      { ...lease, taskId: 'other' },
      { ...lease, attemptId: 'other' },
    ];
    for (const one of wrong) {
      is(await store.complete({ lease: one, result: 'x' }), { type: 'unknownAttempt' });
      is(await completeNext(store, one), { type: 'unknownAttempt' });
      is(await store.fail({ lease: one, error: 'x' }), { type: 'unknownAttempt' });
      is(await store.release({ lease: one, reason: 'released' }), { type: 'unknownAttempt' });
    }
    for (const id of [task.id, otherTask]) is(await taskOf(store, id), { state: 'claimed', failures: 0, releases: 0 });
    for (const held of [lease, other]) is(await store.complete({ lease: held, result: 'x' }), { type: 'accepted' });
  },

  'the first settlement stands': async (store) => {
    const { lease, task } = await claimed(store, { title: 'x', backoffMs: 0 });
    const failed = await store.fail({ lease, error: 'broken' });
    is(failed, { type: 'requeued' });
    assert.deepEqual(await store.fail({ lease, error: 'again' }), failed);
    is(await store.complete({ lease, result: 'after all' }), { type: 'settled', state: 'failed' });
    is(await store.release({ lease, reason: 'released' }), { type: 'settled', state: 'failed' });
    is(await taskOf(store, task.id), { state: 'queued', failures: 1, lastError: 'broken', result: null });
    is((await attemptsOf(store, task.id))[0], { lateResult: 'after all' });
  },

  'a failure is retried later, with growing delays, and ends dead': async (store, { advance }) => {
    const id = await addOne(store, { title: 'x', maxFailures: 3, backoffMs: 10_000 });
    const by = await worker(store);
    const delays: number[] = [];
    for (let failure = 1; failure <= 3; failure++) {
      const { lease } = await claim(store, by);
      const outcome = await store.fail({ lease, error: `broken ${failure}` });
      if (outcome.type !== 'requeued') continue;
      const { updatedAt } = await taskOf(store, id);
      delays.push(outcome.runAt - updatedAt);
      is(await store.readiness(), { ready: 0, delayed: 1, nextDueAt: outcome.runAt });
      await advance(outcome.runAt - updatedAt);
    }
    assert.ok(delays[0] !== undefined && delays[0] >= 5_000 && delays[0] < 15_000, `first delay ${delays[0]}`);
    assert.ok(delays[1] !== undefined && delays[1] >= 10_000 && delays[1] < 30_000, `second delay ${delays[1]}`);
    is(await taskOf(store, id), { state: 'dead', failures: 3, lastError: 'broken 3', epoch: 3 });
  },

  'a failure can name its own delay, or be final': async (store, { advance }) => {
    const { lease, by, task } = await claimed(store);
    const { updatedAt } = await taskOf(store, task.id);
    is(await store.fail({ lease, error: 'x', retryAfterMs: 1_234 }), { type: 'requeued', runAt: updatedAt + 1_234 });
    await advance(1_234);
    const second = await claim(store, by);
    is(await store.fail({ lease: second.lease, error: 'never', final: true, reason: 'timed_out' }), { type: 'dead' });
    is(await taskOf(store, task.id), { state: 'dead', failures: 2 });
    is((await attemptsOf(store, task.id))[1], { state: 'timed_out', countsAsFailure: true });
  },

  'a release counts no failure, whatever its reason': async (store) => {
    const id = await addOne(store, { title: 'x', backoffMs: 0 });
    const by = await worker(store);
    const reasons = ['released', 'rate_limited', 'unserved', 'abandoned', 'drained', 'timed_out', 'continued'] as const;
    for (const reason of reasons) {
      const { lease } = await claim(store, by);
      is(await store.release({ lease, reason, checkpoint: `left by ${reason}` }), { type: 'requeued' });
    }
    is(await taskOf(store, id), { state: 'queued', failures: 0, reclaims: 0, releases: 4, epoch: 7 });
    const attempts = await attemptsOf(store, id);
    const states = attempts.map(({ state, outcome, countsAsFailure }) => `${state} ${outcome} ${countsAsFailure}`);
    assert.deepEqual(states, [
      'released released false',
      'rate_limited rate_limited false',
      'released unserved false',
      'released abandoned false',
      'released drained false',
      'timed_out timed_out false',
      'released continued false',
    ]);
    is((await claim(store, by)).previous, { checkpoint: 'left by continued' });
  },

  'a limit of an account and a drained worker never count': async (store) => {
    const id = await addOne(store, { title: 'x', maxReleases: 2 });
    const by = await worker(store);
    const reasons = ['rate_limited', 'unserved', 'drained'] as const;
    for (const reason of Array.from({ length: 10 }, () => reasons).flat()) {
      const { lease, attemptNumber } = await claim(store, by);
      assert.equal(attemptNumber, 1);
      is(await store.release({ lease, reason }), { type: 'requeued' });
    }
    is(await taskOf(store, id), { state: 'queued', failures: 0, reclaims: 0, releases: 0, epoch: 30, lastError: null });
  },

  'a task that is released again and again waits longer each time': async (store, { advance }) => {
    const id = await addOne(store, { title: 'x', backoffMs: 1_000 });
    const by = await worker(store);
    const waits: number[] = [];
    for (const reason of ['continued', 'timed_out', 'rate_limited', 'released', 'drained', 'abandoned'] as const) {
      const { lease } = await claim(store, by);
      is(await store.release({ lease, reason }), { type: 'requeued' });
      const { runAt, updatedAt } = await taskOf(store, id);
      waits.push(runAt - updatedAt);
      await advance(runAt - updatedAt);
    }
    // doubled each time, spread by half; what the account or the operator caused waits for nothing
    for (const [at, base] of [1_000, 2_000, 0, 4_000, 0, 8_000].entries()) {
      const waited = waits[at] ?? -1;
      assert.ok(waited >= base * 0.5 && waited <= base * 1.5, `${waits}`);
    }
    is(await taskOf(store, id), { state: 'queued', releases: 4, epoch: 6 });
  },

  'a release may wait longer than its backoff, or not at all when a person gave it back': async (store) => {
    const { lease, by, task } = await claimed(store, { title: 'x', backoffMs: 1_000 });
    const waited = async () => {
      const { runAt, updatedAt } = await taskOf(store, task.id);
      return runAt - updatedAt;
    };
    await store.release({ lease, reason: 'released', backoff: false });
    assert.equal(await waited(), 0);
    const second = await claim(store, by);
    await store.release({ lease: second.lease, reason: 'released', delayMs: 60_000 });
    assert.equal(await waited(), 60_000);
    is(await taskOf(store, task.id), { releases: 2 });
  },

  'a task that is released again and again ends dead, and records why': async (store) => {
    const id = await addOne(store, { title: 'x', maxReleases: 3, backoffMs: 0 });
    const by = await worker(store);
    for (const reason of ['released', 'drained', 'continued', 'abandoned'] as const) {
      const { lease } = await claim(store, by);
      is(await store.release({ lease, reason }), { type: reason === 'abandoned' ? 'dead' : 'requeued' });
    }
    const lastError =
      'It was started and given back 3 times without being settled; the last time, its holder abandoned it.';
    is(await taskOf(store, id), { state: 'dead', releases: 3, epoch: 4, lastError });
  },

  'a released task goes behind tasks that waited as long': async (store, { advance }) => {
    const { lease, by } = await claimed(store, 'first');
    await addOne(store, 'second');
    await advance(1);
    await store.release({ lease, reason: 'released', backoff: false });
    assert.equal((await claim(store, by)).task.title, 'second');
  },

  'attempts are bounded by failures, losses and releases together': async (store, { advance }) => {
    const bounds = { maxFailures: 3, maxReclaims: 3, maxReleases: 3 };
    const id = await addOne(store, { title: 'x', backoffMs: 0, ...bounds });
    let count = 0;
    for (; (await taskOf(store, id)).state === 'queued'; count++) {
      const by = await worker(store, `w${count}`);
      const { lease } = await claim(store, by);
      if (count % 3 === 0) await store.fail({ lease, error: 'x' });
      if (count % 3 === 1) await store.release({ lease, reason: 'released' });
      if (count % 3 === 2) await lose(store, by);
      await advance(1);
      assert.ok(count < 20, 'this never ends');
    }
    assert.ok(count <= 9, `${count} attempts`);
    is(await taskOf(store, id), { state: 'dead', epoch: count });
  },

  'an attempt with a deadline can be given more time once': async (store) => {
    const { lease, attempt } = await claimed(store, { title: 'x', timeBudgetMs: 1_000 });
    const deadlineAt = attempt.claimedAt + 1_500;
    is(await store.extend({ lease, byMs: 500 }), { type: 'extended', deadlineAt });
    is(await store.extend({ lease, byMs: 500 }), { type: 'refused', reason: 'extendedBefore' });
    await store.complete({ lease, result: 'x' });
    is(await store.extend({ lease, byMs: 500 }), { type: 'settled', state: 'succeeded' });
    const other = await claimed(store, 'without a budget');
    is(await store.extend({ lease: other.lease, byMs: 500 }), { type: 'refused', reason: 'noDeadline' });
  },
};
