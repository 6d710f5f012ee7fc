import assert from 'node:assert/strict';
import { available } from '../../store/unavailable.ts';
import { add, addOne, claim, claimed, completeNext, lose, newKey, tryClaim, worker } from './steps.ts';
import { type Cases, is, taskOf, workerOf } from './storeCase.ts';

/** Which worker gets which task, and why a worker gets none. */
export const claimCases: Cases = {
  'claims by priority, then by time, then by arrival': async (store, { advance }) => {
    const [late, , , urgent] = await add(store, { title: 'late', delayMs: 1_000 }, 'first', 'second', {
      title: 'urgent',
      priority: 1,
    });
    await advance(1_000);
    const titles: string[] = [];
    for (const name of ['a', 'b', 'c', 'd']) titles.push((await claim(store, await worker(store, name))).task.title);
    assert.deepEqual(titles, ['urgent', 'first', 'second', 'late']);
    is(await taskOf(store, urgent), { state: 'claimed', status: 'claimed', epoch: 1 });
    is(await taskOf(store, late), { epoch: 1 });
  },

  'a claim creates a first attempt with an epoch, and resets the idle time': async (store, { advance }) => {
    const id = await addOne(store, { title: 'x', body: 'do it', timeBudgetMs: 60_000 });
    const by = await worker(store);
    await advance(500);
    const outcome = await claim(store, by);
    is(outcome, { attemptNumber: 1, previous: null, task: { id, body: 'do it', epoch: 1, state: 'claimed' } });
    is(outcome.lease, { taskId: id, epoch: 1, ...by });
    is(outcome.attempt, { state: 'active', deadlineAt: outcome.attempt.claimedAt + 60_000 });
    is(await workerOf(store, 'w1'), { status: 'busy', idleSince: null, lastClaimedAt: outcome.attempt.claimedAt });
  },

  'a claim repeated with its key returns the same task and claims no second one': async (store) => {
    await add(store, 'one', 'two');
    const by = await worker(store);
    const claimKey = newKey();
    const first = await claim(store, by, { claimKey });
    assert.deepEqual(await store.claim({ ...by, claimKey }), first);
    is(available(await store.counts()), { claimed: 1, ready: 1 });
  },

  'the key of an attempt that has ended claims nothing': async (store) => {
    const { lease, by } = await claimed(store);
    await store.complete({ lease, result: 'done' });
    await addOne(store, 'another');
    is(await store.claim({ ...by, claimKey: lease.attemptId }), { type: 'refused', reason: 'claimKeyUsed' });
    const other = await worker(store, 'w2');
    is(await store.claim({ ...other, claimKey: lease.attemptId }), { type: 'refused', reason: 'claimKeyUsed' });
  },

  'a worker has one task at a time': async (store) => {
    const { lease, by } = await claimed(store);
    await addOne(store, 'another');
    is(await tryClaim(store, by), { type: 'refused', reason: 'holding', lease });
  },

  'only the live incarnation of a slot claims': async (store) => {
    await addOne(store);
    const refused = (reason: string) => ({ type: 'refused', reason });
    is(await tryClaim(store, { workerId: 'unknown', incarnation: 1 }), refused('unknownWorker'));
    const old = await worker(store);
    const by = await worker(store);
    is(await tryClaim(store, old), { ...refused('staleIncarnation'), incarnation: 2 });
    is(await store.drainWorker(by), { type: 'draining' });
    is(await tryClaim(store, by), refused('draining'));
    is(await store.stopWorker({ ...by, exitReason: 'drained' }), { type: 'stopped' });
    is(await tryClaim(store, by), refused('stopped'));
    const dead = await worker(store, 'w2');
    await lose(store, dead);
    is(await tryClaim(store, dead), refused('lost'));
    is(await store.launch({ slot: 'w3', deadlineMs: 1_000 }), { type: 'launching', incarnation: 1 });
    is(await tryClaim(store, { workerId: 'w3', incarnation: 1 }), refused('launching'));
  },

  'a body is returned whole, however long it is': async (store) => {
    const bodies = ['', 'short', 'x'.repeat(250), 'ä'.repeat(251), 'long "\\\n'.repeat(2_000), 'last'];
    const ids = await add(store, ...bodies.map((body) => ({ title: 'x', body })));
    const by = await worker(store);
    let outcome = await tryClaim(store, by);
    const seen: string[] = [];
    while (outcome.type === 'claimed') {
      seen.push(outcome.task.body);
      const completed = await completeNext(store, outcome.lease);
      is(completed, { type: 'accepted' });
      outcome = (completed as { next: typeof outcome }).next;
    }
    assert.deepEqual(seen, bodies);
    is(outcome, { type: 'empty', ready: 0, delayed: 0, nextDueAt: null });
    for (const [n, id] of ids.entries()) is(await taskOf(store, id), { body: bodies[n] });
  },

  'no worker claims on a paused account until the pause is over': async (store, { advance }) => {
    await addOne(store);
    const by = await worker(store, 'w1', { accountKey: 'acme' });
    const { untilAt } = {
      untilAt: 0,
      ...(await store.pauseAccount({ key: 'acme', until: { ms: 5_000 }, source: '429' })),
    };
    is(await tryClaim(store, by), { type: 'refused', reason: 'accountPaused', untilAt });
    is(await workerOf(store, 'w1'), { status: 'paused', pausedUntil: untilAt });
    is(await claim(store, await worker(store, 'w2', { accountKey: 'other' })), { type: 'claimed' });
    await addOne(store, 'another');
    await advance(5_000);
    await claim(store, by);
  },

  'an empty answer reports why no task is ready, and when the next is due': async (store) => {
    const [first] = await add(store, { title: 'other type', type: 'review' }, { title: 'held', holdReason: 'wait' });
    await add(store, { title: 'blocked', dependsOn: [first] }, { title: 'later', delayMs: 7_000, priority: 1 });
    await add(store, { title: 'sooner', delayMs: 3_000, priority: 9 }, { title: 'elsewhere', queue: 'other' });
    const by = await worker(store);
    const { now } = available(await store.about());
    const why = {
      ready: 0,
      delayed: 2,
      nextDueAt: now + 3_000,
      blocked: 1,
      held: 1,
      otherType: 1,
      queuePaused: false,
      limited: 0,
    };
    is(await tryClaim(store, by, { types: ['task'] }), { type: 'empty', ...why });
    assert.deepEqual(await store.readiness({ types: ['task'] }), { type: 'readiness', ...why });
    is(await store.readiness(), { ready: 1, otherType: 0 });
  },

  'tasks of several requested types are claimed in order across them': async (store) => {
    await add(store, { title: 'build', type: 'build' }, { title: 'test', type: 'test', priority: 1 }, 'plain');
    const titles: string[] = [];
    for (const name of ['a', 'b']) {
      titles.push((await claim(store, await worker(store, name), { types: ['build', 'test', 'none'] })).task.title);
    }
    assert.deepEqual(titles, ['test', 'build']);
    const by = await worker(store);
    is(await tryClaim(store, by, { types: ['build'] }), { type: 'empty', otherType: 1 });
    is(await tryClaim(store, by, { types: [] }), { type: 'empty', otherType: 1 });
    assert.equal((await claim(store, by)).task.title, 'plain');
  },

  'delayed tasks of a higher priority hide nothing': async (store) => {
    await add(
      store,
      ...Array.from({ length: 50 }, (_, n) => ({ title: 'later', priority: n % 5, delayMs: 1_000 + n })),
    );
    const id = await addOne(store, { title: 'now', priority: 3 });
    assert.equal((await claim(store, await worker(store))).task.id, id);
  },

  'a task can be claimed by name, if it is ready': async (store, { advance }) => {
    const [, second, delayed] = await add(store, 'first', 'second', { title: 'delayed', delayMs: 1_000 });
    const by = await worker(store);
    const byName = (taskId: string) => tryClaim(store, by, { taskId });
    is(await byName('nothing-like-it'), { type: 'refused', reason: 'unknownTask' });
    is(await byName(delayed), { type: 'refused', reason: 'taskNotReady', status: 'delayed' });
    await advance(1_000);
    is(await byName(second), { type: 'claimed', task: { title: 'second' } });
    const other = await worker(store, 'w2');
    is(await tryClaim(store, other, { taskId: second }), { status: 'claimed' });
  },

  'no task is claimed from a paused queue, and claimed ones continue': async (store) => {
    const { lease } = await claimed(store);
    const another = await addOne(store, 'another');
    const by = await worker(store, 'w2');
    is(await store.pauseQueue({ queue: 'default', reason: 'deploy' }), { type: 'changed' });
    is(await store.pauseQueue({ queue: 'default' }), { type: 'unchanged' });
    is(await tryClaim(store, by), { type: 'empty', queuePaused: true, ready: 1 });
    is(await tryClaim(store, by, { taskId: another }), { type: 'empty', queuePaused: true });
    is(await store.complete({ lease, result: 'ok' }), { type: 'accepted' });
    is(await store.resumeQueue({ queue: 'default' }), { type: 'changed' });
    await claim(store, by);
  },

  'of eight workers that claim one task concurrently, one gets it': async (store, { connect }) => {
    const stores = await Promise.all(Array.from({ length: 8 }, connect));
    const workers = await Promise.all(stores.map((_, n) => worker(store, `racer-${n}`)));
    for (let race = 0; race < 5; race++) {
      const id = await addOne(store, `race ${race}`);
      const outcomes = await Promise.all(
        stores.map((one, n) => one.claim({ ...(workers[n] as (typeof workers)[0]), claimKey: newKey() })),
      );
      const won = outcomes.filter(({ type }) => type === 'claimed');
      assert.equal(won.length, 1, JSON.stringify(outcomes.map(({ type }) => type)));
      assert.deepEqual(new Set(outcomes.map(({ type }) => type)), new Set(['claimed', 'empty']));
      const lease = outcomes.flatMap((outcome) => (outcome.type === 'claimed' ? [outcome.lease] : []))[0];
      is(await store.complete({ lease: lease as NonNullable<typeof lease>, result: 'won' }), { type: 'accepted' });
      is(await taskOf(store, id), { epoch: 1, state: 'done' });
    }
  },

  'workers that claim many tasks concurrently get each task once': async (store, { connect }) => {
    const ids = await add(store, ...Array.from({ length: 60 }, (_, n) => `task ${n}`));
    const stores = await Promise.all(Array.from({ length: 6 }, connect));
    const taken: string[] = [];
    await Promise.all(
      stores.map(async (one, n) => {
        const by = await worker(one, `w${n}`);
        for (;;) {
          const outcome = await one.claim({ ...by, claimKey: newKey() });
          if (outcome.type !== 'claimed') return;
          taken.push(outcome.task.id);
          is(await one.complete({ lease: outcome.lease, result: 'ok' }), { type: 'accepted', late: false });
        }
      }),
    );
    assert.deepEqual(taken.toSorted(), ids.toSorted());
  },
};
