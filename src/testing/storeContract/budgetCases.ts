import assert from 'node:assert/strict';
import type { Lease } from '../../store/types.ts';
import { addOne, claim, claimed, lose, tryClaim, worker } from './steps.ts';
import { attemptsOf, type Cases, is, taskOf } from './storeCase.ts';

const QUICKLY = { maxFailures: 100, maxReclaims: 100, maxReleases: 100, backoffMs: 0 } as const;

/** Budgets over all attempts of a task. */
export const budgetCases: Cases = {
  'money that all attempts have spent together ends a task, with a sentence': async (store) => {
    const id = await addOne(store, { title: 'x', costBudgetUsd: 2, ...QUICKLY });
    const by = await worker(store);
    const first = await claim(store, by);
    is(first.task, { costBudgetUsd: 2, tokenBudget: null, totalTimeMs: null, countedFrom: 0 });
    is(await store.fail({ lease: first.lease, error: 'no', details: { costUsd: 1.25 } }), { type: 'requeued' });
    const second = await claim(store, by);
    is(await store.fail({ lease: second.lease, error: 'again', details: { costUsd: 0.85 } }), { type: 'dead' });
    const lastError = 'Its budget is used up: $2.10 of $2.00, over all attempts.\nagain';
    is(await taskOf(store, id), { state: 'dead', failures: 2, lastError });
  },

  'tokens count whatever ended the attempts, also a limit of the account': async (store) => {
    const id = await addOne(store, { title: 'x', tokenBudget: 500, ...QUICKLY });
    const by = await worker(store);
    const first = await claim(store, by);
    await store.heartbeat({ ...by, lease: first.lease, details: { tokens: 200 } });
    is(await store.release({ lease: first.lease, reason: 'rate_limited' }), { type: 'requeued' });
    const second = await claim(store, by);
    await store.heartbeat({ ...by, lease: second.lease, details: { tokens: 299 } });
    await lose(store, by);
    is(await taskOf(store, id), { state: 'queued', tokenBudget: 500 });
    const third = await claim(store, await worker(store));
    is(await store.release({ lease: third.lease, reason: 'drained', details: { tokens: 1 } }), { type: 'dead' });
    is(await taskOf(store, id), {
      state: 'dead',
      lastError: 'Its budget is used up: 500 of 500 tokens, over all attempts.',
    });
  },

  'what an attempt cost can be reported after it was settled': async (store) => {
    const { lease, by, task } = await claimed(store, { title: 'x', tokenBudget: 100, ...QUICKLY });
    await store.release({ lease, reason: 'released', checkpoint: 'notes' });
    is(await store.heartbeat({ ...by, lease, checkpoint: 'too late', details: { tokens: 90 } }), {
      type: 'superseded',
    });
    is((await attemptsOf(store, task.id))[0], { state: 'released', checkpoint: 'notes', details: { tokens: 90 } });
    const next = await claim(store, by);
    is(await store.fail({ lease: next.lease, error: 'x', details: { tokens: 10 } }), { type: 'dead' });
  },

  'what an attempt spent counts when its settlement comes too late, too': async (store) => {
    const by = [await worker(store, 'w1'), await worker(store, 'w2'), await worker(store, 'w3')] as const;
    const id = await addOne(store, { title: 'x', tokenBudget: 100, ...QUICKLY });
    const late = [];
    for (const one of by.slice(0, 2)) {
      late.push((await claim(store, one)).lease);
      await lose(store, one);
    }
    const [first, second] = late as [Lease, Lease];
    const { lease } = await claim(store, by[2]);
    is(await store.complete({ lease: first, result: 'x', details: { tokens: 60, headCommit: 'b' } }), {
      type: 'superseded',
    });
    is(await store.fail({ lease: second, error: 'x', details: { tokens: 30, costUsd: 1 } }), { type: 'superseded' });
    is(await store.release({ lease: second, reason: 'drained', details: { tokens: 30 } }), { type: 'superseded' });
    const details = (await attemptsOf(store, id)).map((one) => one.details);
    assert.deepEqual(details, [{ tokens: 60 }, { tokens: 30, costUsd: 1 }, {}]);
    is(await store.fail({ lease, error: 'x', details: { tokens: 10 } }), { type: 'dead' });
  },

  'the time of all attempts limits each of them, and cannot be extended': async (store, { advance }) => {
    const id = await addOne(store, { title: 'x', timeBudgetMs: 60_000, totalTimeMs: 100_000, ...QUICKLY });
    const by = await worker(store);
    const first = await claim(store, by);
    assert.equal(first.attempt.deadlineAt, first.attempt.claimedAt + 60_000);
    await advance(70_000);
    await store.release({ lease: first.lease, reason: 'timed_out' });
    const second = await claim(store, by, { offerMs: 5_000 });
    await advance(1_000);
    await store.acknowledge({ lease: second.lease });
    const [, active] = await attemptsOf(store, id);
    assert.equal(active?.deadlineAt, (active?.startedAt ?? 0) + 30_000);
    is(await store.extend({ lease: second.lease, byMs: 1_000 }), { type: 'refused', reason: 'overBudget' });
    await advance(31_000);
    is(await store.release({ lease: second.lease, reason: 'timed_out' }), { type: 'dead' });
    is(await taskOf(store, id), {
      state: 'dead',
      lastError: 'Its budget is used up: 1m41s of 1m40s, over all attempts.',
    });
  },

  'durations in the reason are those of all other messages': async (store, { advance }) => {
    const days = 86_400_000;
    const expected = [
      [8_000, 53_400, '53s of 8s'],
      [60_000, 59_999 + 60_000, '2m of 1m'],
      [3_600_000, 11_100_000, '3h05m of 1h'],
      [2 * days, 6.58 * days, '6.5d of 2d'],
    ] as const;
    for (const [totalTimeMs, usedMs, text] of expected) {
      const { lease, task } = await claimed(store, { title: 'x', totalTimeMs, ...QUICKLY });
      await advance(usedMs);
      await store.release({ lease, reason: 'timed_out' });
      is(await taskOf(store, task.id), { lastError: `Its budget is used up: ${text}, over all attempts.` });
    }
  },

  'an extension ends where the time of all attempts ends': async (store) => {
    const { lease, attempt } = await claimed(store, { title: 'x', timeBudgetMs: 1_000, totalTimeMs: 1_200 });
    is(await store.extend({ lease, byMs: 500 }), { type: 'extended', deadlineAt: attempt.claimedAt + 1_200 });
  },

  'the time of a lost attempt is not known and does not count': async (store, { advance }) => {
    const { by, task } = await claimed(store, { title: 'x', totalTimeMs: 10_000, ...QUICKLY });
    await advance(60_000);
    await lose(store, by);
    is(await taskOf(store, task.id), { state: 'queued' });
    const { attempt } = await claim(store, await worker(store));
    assert.equal(attempt.deadlineAt, attempt.claimedAt + 10_000);
  },

  'a redriven task has all of its budgets again': async (store) => {
    const { lease, by, task } = await claimed(store, { title: 'x', costBudgetUsd: 1, tokenBudget: 10, ...QUICKLY });
    is(await store.fail({ lease, error: 'x', details: { costUsd: 3, tokens: 30 } }), { type: 'dead' });
    await store.redrive({ taskId: task.id });
    is(await taskOf(store, task.id), { state: 'queued', countedFrom: 1 });
    const next = await claim(store, by);
    is(next.task, { countedFrom: 1 });
    is(await store.fail({ lease: next.lease, error: 'x', details: { costUsd: 0.5 } }), { type: 'requeued' });
  },

  'an open task can be given another place and other budgets': async (store) => {
    const id = await addOne(store, { title: 'x', tokenBudget: 10, costBudgetUsd: 1.5 });
    await addOne(store, { title: 'first', queue: 'other', priority: 5 });
    const wish = { queue: 'other', priority: 1, tokenBudget: null, timeBudgetMs: 9_000, totalTimeMs: 90_000 };
    is(await store.amendTask({ taskId: id, ...wish, costBudgetUsd: 1.5 }), { type: 'amended', state: 'queued' });
    is(await taskOf(store, id), { ...wish, costBudgetUsd: 1.5 });
    is(await store.amendTask({ taskId: id, ...wish }), { type: 'unchanged' });
    const by = await worker(store);
    is(await tryClaim(store, by), { type: 'empty' });
    const { task, attempt } = await claim(store, by, { queue: 'other' });
    is(task, { id, ...wish });
    assert.equal(attempt.deadlineAt, attempt.claimedAt + 9_000);
    is(await store.amendTask({ taskId: id, priority: 0.5 }), { type: 'refused', reason: 'invalid' });
  },
};
