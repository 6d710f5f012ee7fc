import assert from 'node:assert/strict';
import type { NewTask } from '../../store/types.ts';
import { available } from '../../store/unavailable.ts';
import { add, addOne, claim, claimed, lose, toVerify, tryClaim, worker } from './steps.ts';
import { attemptsOf, type Cases, is, taskOf, workerOf } from './storeCase.ts';

/** Adding, depending, cancelling, redriving, holding, verifying, reading. */
export const taskCases: Cases = {
  'a new task has the given values, and defaults for the others': async (store) => {
    const given: NewTask = {
      title: 'Übersetze “das” 🚦',
      body: 'line one\nline two',
      id: 'my-task.1',
      queue: 'default',
      type: 'text',
      priority: -5,
      maxFailures: 7,
      timeBudgetMs: 1_000,
      costBudgetUsd: 0.25,
      dedupeKey: 'once',
      parentId: 'my-parent',
    };
    await addOne(store, given);
    const { dedupeKey: _, ...others } = given;
    is(await taskOf(store, 'my-task.1'), { ...others, dedupeKey: 'once', state: 'queued', status: 'ready', epoch: 0 });
    is(await taskOf(store, 'my-t'), { maxReclaims: 3, attemptId: null, result: null, dependsOn: [] });
    is(await store.task({ id: 'my-' }), { type: 'unknownTask' });
    await addOne(store, { title: 'x', id: 'my-task.2' });
    is(await store.task({ id: 'my-task' }), { type: 'ambiguous', ids: ['my-task.1', 'my-task.2'] });
  },

  'times that no store could read again are refused, and everything stays readable': async (store) => {
    const most = Number.MAX_SAFE_INTEGER;
    for (const times of [
      { delayMs: most },
      { runAt: most },
      { backoffMs: most },
      { timeBudgetMs: most },
      { totalTimeMs: most },
    ])
      is(await store.addTasks({ tasks: [{ title: 'x', ...times }] }), { type: 'refused', problem: 'invalid' });
    const id = await addOne(store, { title: 'x', timeBudgetMs: 1e14, delayMs: 0 });
    is(await store.amendTask({ taskId: id, timeBudgetMs: most }), { type: 'refused', reason: 'invalid' });
    const by = await worker(store);
    const offer = { ...by, claimKey: 'far', offerMs: most };
    await assert.rejects(store.claim(offer), RangeError);
    const { lease } = await claim(store, by);
    await assert.rejects(store.fail({ lease, error: 'x', retryAfterMs: most }), RangeError);
    await assert.rejects(store.pauseAccount({ key: 'a', until: { ms: most }, source: 'x' }), RangeError);
    await store.fail({ lease, error: 'x', retryAfterMs: 1e14 });
    is(await attemptsOf(store, id), [{ state: 'failed' }]);
    is(await taskOf(store, id), { status: 'delayed' });
    is(available(await store.readiness()), { delayed: 1 });
  },

  'thousands are added in one call and kept in their order': async (store) => {
    const tasks = Array.from({ length: 3_000 }, (_, n) => ({ title: `task ${n}` }));
    const ids = await add(store, ...tasks);
    assert.equal(new Set(ids).size, 3_000);
    is(available(await store.counts()), { ready: 3_000 });
    assert.equal((await claim(store, await worker(store))).task.title, 'task 0');
  },

  'the same id or a live dedupe key adds nothing': async (store, { advance }) => {
    const [first] = await add(store, { title: 'x', id: 'fixed', dedupeKey: 'k' });
    const repeated = await store.addTasks({
      tasks: [
        { title: 'y', id: 'fixed' },
        { title: 'y', dedupeKey: 'k' },
        { title: 'new', dedupeKey: 'n' },
        { title: 'new again', dedupeKey: 'n' },
      ],
    });
    is(repeated, {
      type: 'added',
      tasks: [{ id: first, created: false }, { id: first, created: false }, { created: true }],
    });
    assert.equal(
      repeated.type === 'added' && repeated.tasks[3]?.id,
      repeated.type === 'added' && repeated.tasks[2]?.id,
    );
    const by = await worker(store);
    const { lease } = await claim(store, by, { taskId: 'fixed' });
    await store.fail({ lease, error: 'x', final: true });
    const second = await addOne(store, { title: 'z', dedupeKey: 'k' });
    assert.notEqual(second, first);
    is(await store.redrive({ taskId: 'fixed' }), { type: 'refused', reason: 'duplicate', existingId: second });
    await store.cancel({ taskId: second });
    await advance(1);
    is(await store.redrive({ taskId: 'fixed' }), { type: 'changed', state: 'queued' });
  },

  'a task starts only after everything it depends on is done, and is unblocked once': async (store) => {
    const [a, , c] = await add(store, { title: 'a', key: 'a' }, 'b', {
      title: 'c',
      dependsOn: [{ key: 'a' }, { position: 1 }, { position: 0 }],
    });
    is(await taskOf(store, c), { status: 'blocked', unmetDependencies: 2 });
    const by = await worker(store);
    for (const title of ['a', 'b']) {
      is(await tryClaim(store, by, { taskId: c }), { reason: 'taskNotReady', status: 'blocked' });
      const { lease, task } = await claim(store, by);
      assert.equal(task.title, title);
      await store.complete({ lease, result: 'ok' });
      await store.complete({ lease, result: 'ok' });
    }
    is(await taskOf(store, c), { status: 'ready', unmetDependencies: 0, dependsOn: [{ taskId: a, met: true }, {}] });
    const { events } = available(await store.events({ taskId: c }));
    const left = events.filter(({ kind }) => kind === 'task.dependencyMet').map(({ data }) => data.unmetDependencies);
    assert.deepEqual(left, [1, 0]);
    is(await taskOf(store, await addOne(store, { title: 'd', dependsOn: [a] })), { status: 'ready' });
  },

  'a batch is added whole or not at all': async (store) => {
    const refused = async (problem: string, position: number, ...tasks: NewTask[]) => {
      is(await store.addTasks({ tasks }), { type: 'refused', problem, position });
      is(available(await store.counts()), { ready: 0, blocked: 0 });
    };
    await refused('unknownDependency', 1, { title: 'a' }, { title: 'b', dependsOn: ['nothing-like-it'] });
    await refused('unknownDependency', 0, { title: 'a', dependsOn: [{ key: 'unknown' }] });
    await refused(
      'cycle',
      0,
      { title: 'a', key: 'a', dependsOn: [{ key: 'b' }] },
      { title: 'b', key: 'b', dependsOn: [{ key: 'a' }] },
    );
    await refused('invalid', 1, { title: 'a' }, { title: '  ' });
    await refused('invalid', 0, { title: 'a', maxFailures: 0 });
  },

  'a task that depends on a failed one waits, runs or ends with it, as requested': async (store, { advance }) => {
    const [first] = await add(store, { title: 'first', maxFailures: 1 });
    const dependsOn = [first];
    const [waits, runs, ends] = await add(
      store,
      { title: 'waits', dependsOn },
      { title: 'runs', dependsOn, onDependencyFailure: 'run' },
      { title: 'ends', dependsOn, onDependencyFailure: 'cancel' },
    );
    const after = await addOne(store, { title: 'after', dependsOn: [ends], onDependencyFailure: 'cancel' });
    const by = await worker(store);
    await store.fail({ lease: (await claim(store, by)).lease, error: 'x' });
    is(await taskOf(store, waits), { status: 'blocked' });
    is(await taskOf(store, runs), { status: 'ready' });
    is(await taskOf(store, ends), { state: 'cancelled' });
    is(await taskOf(store, after), { state: 'cancelled' });
    const late = { title: 'x', dependsOn, onDependencyFailure: 'cancel' } as const;
    is(await store.addTasks({ tasks: [late] }), { type: 'refused', problem: 'failedDependency' });
    is(await taskOf(store, await addOne(store, { ...late, onDependencyFailure: 'run' })), { status: 'ready' });
    await store.redrive({ taskId: first });
    await advance(1);
    await store.complete({ lease: (await claim(store, by, { taskId: first })).lease, result: 'ok' });
    is(await taskOf(store, waits), { status: 'ready' });
  },

  'a cancelled task ends immediately, and its worker is free': async (store) => {
    const { lease, by, task } = await claimed(store);
    is(await store.cancel({ taskId: task.id, reason: 'not needed', actor: 'me' }), {
      type: 'changed',
      state: 'cancelled',
    });
    is(await store.cancel({ taskId: task.id }), { type: 'unchanged' });
    is(await store.cancel({ taskId: 'nothing' }), { type: 'unknownTask' });
    is(await store.complete({ lease, result: 'was nearly done' }), { type: 'cancelled' });
    is(await store.fail({ lease, error: 'x' }), { type: 'cancelled' });
    is(await taskOf(store, task.id), { state: 'cancelled', result: null, failures: 0 });
    is((await attemptsOf(store, task.id))[0], { lateResult: 'was nearly done' });
    is(await workerOf(store, 'w1'), { status: 'idle' });
    await addOne(store, 'next');
    const next = await claim(store, by);
    await store.complete({ lease: next.lease, result: 'ok' });
    is(await store.cancel({ taskId: next.task.id }), { type: 'refused', reason: 'state', state: 'done' });
  },

  'a redriven task starts over with its epoch kept': async (store) => {
    const { lease, by, task } = await claimed(store, { title: 'x', maxFailures: 1 });
    is(await store.redrive({ taskId: task.id }), { type: 'refused', reason: 'state', state: 'claimed' });
    is(await store.fail({ lease, error: 'x' }), { type: 'dead' });
    is(await store.redrive({ taskId: task.id, actor: 'me' }), { type: 'changed' });
    is(await store.redrive({ taskId: task.id }), { type: 'unchanged' });
    is(await taskOf(store, task.id), { state: 'queued', failures: 0, reclaims: 0, releases: 0, epoch: 1 });
    is(await claim(store, by), { lease: { epoch: 2 }, attemptNumber: 1 });
  },

  'a held task waits until it is unheld': async (store) => {
    const id = await addOne(store);
    const by = await worker(store);
    is(await store.hold({ taskId: id, reason: 'wait for Ada' }), { type: 'changed' });
    is(await store.hold({ taskId: id, reason: 'wait for Ada' }), { type: 'unchanged' });
    is(await taskOf(store, id), { status: 'held', holdReason: 'wait for Ada', state: 'queued' });
    is(await tryClaim(store, by), { type: 'empty', held: 1 });
    is(await store.unhold({ taskId: id }), { type: 'changed' });
    is(await store.unhold({ taskId: id }), { type: 'unchanged' });
    await claim(store, by);
    is(await store.hold({ taskId: id }), { type: 'refused', state: 'claimed' });
  },

  'a task with verification is done when the verifier accepts it': async (store, { advance }) => {
    const { lease, task } = await claimed(store, { title: 'x', verify: 'npm test' });
    const dependant = await addOne(store, { title: 'y', dependsOn: [task.id] });
    is(await store.complete({ lease, result: 'r' }), { type: 'accepted', taskState: 'verifying' });
    is(await taskOf(store, dependant), { status: 'blocked' });
    is(await store.takeVerification({ holder: 'v1', ttlMs: 1_000 }), {
      type: 'taken',
      task: { id: task.id, result: 'r' },
    });
    is(await store.takeVerification({ holder: 'v2', ttlMs: 1_000 }), { type: 'empty' });
    await advance(1_000);
    const second = await store.takeVerification({ holder: 'v2', ttlMs: 1_000, queue: 'default', taskId: task.id });
    assert.ok(second.type === 'taken');
    const { verifyEpoch } = second;
    const verdict = { taskId: task.id, verdict: 'pass' } as const;
    is(await store.settleVerification({ ...verdict, verifyEpoch: verifyEpoch - 1 }), { type: 'superseded' });
    is(await store.settleVerification({ ...verdict, verifyEpoch }), { type: 'done' });
    is(await store.settleVerification({ ...verdict, verifyEpoch }), { type: 'done' });
    is(await taskOf(store, task.id), { state: 'done', result: 'r', attemptId: lease.attemptId });
    is(await taskOf(store, dependant), { status: 'ready' });
  },

  'a rejected task goes back with a failure, and its result stays with the attempt': async (store, { advance }) => {
    const { lease, by, task } = await claimed(store, { title: 'x', verify: 'look', maxFailures: 2, backoffMs: 0 });
    const verify = async () => ({ ...(await toVerify(store)), verdict: 'reject', reason: 'tests fail' }) as const;
    await store.complete({ lease, result: 'bad' });
    const first = await verify();
    const rejected = await store.settleVerification(first);
    is(rejected, { type: 'requeued' });
    assert.deepEqual(await store.settleVerification(first), rejected);
    is(await taskOf(store, task.id), { state: 'queued', failures: 1, lastError: 'tests fail', result: null });
    is(await store.complete({ lease, result: 'bad' }), { type: 'accepted' });
    await advance(1);
    const second = await claim(store, by);
    is(second.previous, { outcome: 'rejected', error: 'tests fail', state: 'failed' });
    await store.complete({ lease: second.lease, result: 'worse' });
    is(await store.settleVerification({ ...first, verdict: 'pass' }), { type: 'superseded' });
    is(await store.settleVerification(await verify()), { type: 'dead' });
    const attempts = await attemptsOf(store, task.id);
    assert.deepEqual(
      attempts.map(({ result }) => result),
      ['bad', 'worse'],
    );
  },

  'lists are pages in order, and counts agree with them': async (store) => {
    const [first] = await add(
      store,
      'a',
      'b',
      { title: 'c', delayMs: 500 },
      { title: 'd', type: 'other', holdReason: 'h' },
    );
    await add(store, { title: 'e', dependsOn: [first] }, { title: 'f', queue: 'q2', parentId: 'p' });
    const by = await worker(store);
    await store.complete({ lease: (await claim(store, by)).lease, result: 'x' });
    await store.cancel({ taskId: await addOne(store, 'g') });
    const dead = await addOne(store, { title: 'h', maxReclaims: 1, priority: 1 });
    await claim(store, by);
    await lose(store, by);
    const titles = async (request: object) => {
      const outcome = available(await store.listTasks(request));
      return outcome.tasks.map(({ title }) => title).join('');
    };
    assert.equal(await titles({}), 'abcdefgh');
    assert.equal(await titles({ order: 'newest', limit: 3 }), 'hgf');
    assert.equal(await titles({ queue: 'q2' }), 'f');
    assert.equal(await titles({ parentId: 'p' }), 'f');
    assert.equal(await titles({ types: ['other', 'none'] }), 'd');
    assert.equal(await titles({ statuses: [] }), '');
    assert.equal(await titles({ statuses: ['dead', 'cancelled'] }), 'gh');
    assert.equal(await titles({ statuses: ['done', 'delayed', 'held'] }), 'acd');
    const { events: _, ...expected } = {
      ready: 3,
      delayed: 1,
      held: 1,
      done: 1,
      cancelled: 1,
      dead: 1,
      blocked: 0,
      events: 0,
    };
    is(await store.counts(), { type: 'counts', ...expected, claimed: 0, verifying: 0 });
    for (const [status, count] of Object.entries(expected)) {
      assert.equal((await titles({ statuses: [status] })).length, count, status);
    }
    is(await store.counts({ queue: 'q2' }), { ready: 1, done: 0, dead: 0 });
    is(await taskOf(store, dead), { state: 'dead', reclaims: 1 });
    let pages = '';
    for (let after: string | undefined, more = true; more; ) {
      const page = available(await store.listTasks({ limit: 3, ...(after && { after }) }));
      pages += `${page.tasks.map(({ title }) => title).join('')}/`;
      after = page.next ?? undefined;
      more = page.next !== null;
    }
    assert.equal(pages, 'abc/def/gh/');
  },
};
