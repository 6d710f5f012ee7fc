import assert from 'node:assert/strict';
import { moveStore } from '../../store/moveStore.ts';
import type { Store, StoreEvent } from '../../store/types.ts';
import { available } from '../../store/unavailable.ts';
import { add, addOne, claim, claimed, lose, newKey, REAP, toVerify, tryClaim, worker } from './steps.ts';
import { attemptsOf, type Cases, is, taskOf, workerOf } from './storeCase.ts';

async function allEvents(store: Store): Promise<StoreEvent[]> {
  const events: StoreEvent[] = [];
  for (;;) {
    const after = events.at(-1)?.cursor;
    const page = available(await store.events({ limit: 7, ...(after && { after }) })).events;
    if (page.length === 0) return events;
    events.push(...page);
  }
}

/** The tables agree with their events. */
export async function assertReplays(store: Store): Promise<void> {
  const { tasks, attempts, workers } = replayEvents(await allEvents(store));
  for (const [id, facts] of tasks) {
    is(await taskOf(store, id), facts);
    for (const attempt of await attemptsOf(store, id)) {
      assert.equal(attempts.get(attempt.id)?.state, attempt.state, attempt.id);
    }
  }
  for (const [id, facts] of workers) is(await workerOf(store, id), facts);
}

/** The feed, the move to another store, and waiting. */
export const eventCases: Cases = {
  'every change is recorded once, in order': async (store, { advance }) => {
    const { lease, by, task } = await claimed(store, { title: 'x', backoffMs: 0 });
    await store.fail({ lease, error: 'x' });
    await store.fail({ lease, error: 'x' });
    await store.heartbeat(by);
    await tryClaim(store, { workerId: 'unknown', incarnation: 1 });
    await advance(1);
    const second = await claim(store, by);
    await store.heartbeat({ ...by, lease: second.lease, checkpoint: 'half' });
    await store.complete({ lease: second.lease, result: 'x' });
    await store.stopWorker({ ...by, exitReason: 'idle' });
    const events = await allEvents(store);
    assert.deepEqual(
      events.map(({ kind }) => kind),
      [
        'task.added',
        'worker.registered',
        'task.claimed',
        'task.failed',
        'task.claimed',
        'attempt.checkpoint',
        'task.completed',
        'worker.stopped',
      ],
    );
    is(events[3], { taskId: task.id, attemptId: lease.attemptId, workerId: 'w1', epoch: 1, data: { failures: 1 } });
    const backwards = available(await store.events({ newest: true, limit: 3 })).events;
    assert.deepEqual(backwards, events.slice(-3).reverse());
    const earlier = available(await store.events({ newest: true, limit: 2, after: backwards[2]?.cursor })).events;
    assert.deepEqual(earlier, events.slice(-5, -3).reverse());
    assert.equal(available(await store.events({ taskId: task.id })).events.length, 6);
  },

  'the events rebuild the tables': async (store, { advance }) => {
    const [first] = await add(store, { title: 'a', maxReclaims: 2, backoffMs: 0 }, { title: 'b', verify: 'v' });
    await add(store, { title: 'c', dependsOn: [first], onDependencyFailure: 'cancel' });
    await add(store, { title: 'd', dependsOn: [{ position: 1 }] }, { title: 'e', delayMs: 5 });
    const [one, two] = [await worker(store, 'w1'), await worker(store, 'w2')];
    await claim(store, one);
    const other = await claim(store, two, { offerMs: 10 });
    await lose(store, one);
    is(await store.acknowledge({ lease: other.lease }), { type: 'acknowledged' });
    await store.complete({ lease: other.lease, result: 'x' });
    await advance(1_000);
    const three = await worker(store, 'w1');
    await claim(store, three);
    await store.reap({ ...three, ...REAP, evidence: 'lapsed', staleAfterMs: 0 });
    await store.heartbeat(three);
    await store.reap({ ...three, ...REAP, evidence: 'lapsed', staleAfterMs: 0, graceMs: 0 });
    await lose(store, three);
    await store.settleVerification({ ...(await toVerify(store)), verdict: 'reject' });
    await store.hold({ taskId: first });
    await store.redrive({ taskId: first });
    await store.drainWorker(two);
    await assertReplays(store);
    is(await taskOf(store, first), { state: 'queued', reclaims: 0, epoch: 2 });
  },

  'a feed that is followed during concurrent writes misses nothing': async (store, { connect }) => {
    const writers = await Promise.all(Array.from({ length: 4 }, connect));
    const followed: StoreEvent[] = [];
    let writing = true;
    const follow = async () => {
      for (let last = false; !last; ) {
        last = !writing;
        const after = followed.at(-1)?.cursor;
        followed.push(...available(await store.events({ ...(after && { after }) })).events);
      }
    };
    const write = Promise.all(
      writers.map(async (one, n) => {
        const by = await worker(one, `w${n}`);
        for (let count = 0; count < 10; count++) {
          await addOne(one, `task ${n} ${count}`);
          const outcome = await one.claim({ ...by, claimKey: newKey() });
          if (outcome.type === 'claimed') await one.complete({ lease: outcome.lease, result: 'x' });
        }
      }),
    ).finally(() => {
      writing = false;
    });
    await Promise.all([follow(), write]);
    const everything = await allEvents(store);
    assert.deepEqual(
      followed.map(({ cursor }) => cursor),
      everything.map(({ cursor }) => cursor),
    );
    assert.ok(everything.length > 100, `${everything.length} events`);
    await assertReplays(store);
  },

  'a move keeps epochs and incarnations, and the old store names the new one': async (store, { another, advance }) => {
    const { lease, by, task } = await claimed(store, { title: 'ünïcode', body: 'b'.repeat(5_000), verify: 'v' });
    await add(store, { title: 'next', dependsOn: [task.id] }, { title: 'held', holdReason: 'h', costBudgetUsd: 1.5 });
    const long = 'long '.repeat(500);
    await add(store, { title: 'short', body: 'Read it.', parentId: task.id }, { title: 'long', body: long });
    const lost = await worker(store, 'w2', { types: ['a'], accountKey: 'acme' });
    await lose(store, lost);
    await store.heartbeat({ ...by, lease, checkpoint: 'half', details: { tokens: 5 } });
    await store.pauseAccount({ key: 'acme', until: { ms: 60_000 }, source: '429' });
    const target = await another();
    const before = await snapshot(store);
    is(await moveStore(store, target, 'the new one'), { type: 'moved', generation: 2 });
    assert.deepEqual(await snapshot(target), before);
    is(await tryClaim(store, by), { type: 'unavailable', cause: 'moved' });
    is(await store.heartbeat({ ...by, lease }), { type: 'unavailable', cause: 'moved' });
    const refused = await store.complete({ lease, result: 'x' });
    assert.match(refused.type === 'unavailable' ? refused.reason : '', /have moved to the new one/);
    is(await store.about(), { movedTo: 'the new one', generation: 1 });
    const { location } = available(await store.about());
    assert.deepEqual(available(await target.about()).movedFrom, [location]);
    is(await target.heartbeat({ ...by, lease }), { type: 'ok' });
    is(await target.complete({ lease, result: 'x' }), { type: 'accepted', taskState: 'verifying' });
    await advance(60_000);
    is(await worker(target, 'w2'), { incarnation: 2 });
    const more = await addOne(target, { title: 'more', priority: 1 });
    is(await claim(target, await worker(target, 'w3')), { task: { id: more } });
    is(await claim(target, await worker(target, 'w4')), { task: { title: 'short', body: 'Read it.' } });
    is(await claim(target, await worker(target, 'w5')), { task: { title: 'long', body: long } });
    const { tasks } = available(await target.listTasks({ parentId: task.id }));
    assert.deepEqual(
      tasks.map(({ title }) => title),
      ['short'],
    );
    await assertReplays(target);
    is(await moveStore(await another(), target, 'x'), { type: 'refused', reason: 'notEmpty' });
    is(await store.cancelMove(), { type: 'cancelled' });
    is(await store.cancelMove(), { type: 'unchanged' });
    is(await store.heartbeat({ ...by, lease }), { type: 'ok' });
  },

  'a waiting worker is woken by a task it could claim': async (store, { connect, passing }) => {
    const other = await connect();
    const wait = (types?: string[]) => store.waitForWork({ timeoutMs: 600_000, types });
    const waiting = wait(['build']);
    await addOne(other, { title: 'x', type: 'test' });
    assert.equal(await Promise.race([passing(wait(['test'])), waiting.then(() => 'too early')]).then(kind), 'ready');
    await addOne(other, { title: 'x', type: 'build' });
    is(await passing(waiting), { type: 'ready' });
    is(await store.waitForWork({ timeoutMs: 0 }), { type: 'ready' });
  },

  'who waits for work is woken when a delayed task is due, or when its own time is over': async (
    store,
    { passing },
  ) => {
    await addOne(store, { title: 'x', delayMs: 5_000 });
    is(await passing(store.waitForWork({ timeoutMs: 2_000 })), { type: 'timedOut' });
    is(await passing(store.waitForWork({ timeoutMs: 600_000 })), { type: 'ready' });
    const controller = new AbortController();
    const aborted = store.waitForWork({ timeoutMs: 600_000, queue: 'empty', signal: controller.signal });
    controller.abort();
    is(await aborted, { type: 'aborted' });
  },

  'a closed store reports that it is closed': async (store) => {
    await store.close();
    await store.close();
    is(await store.counts(), { type: 'unavailable', cause: 'closed' });
    is(await store.addTasks({ tasks: [{ title: 'x' }] }), { type: 'unavailable', cause: 'closed' });
  },
};

function kind(outcome: { readonly type: string } | string): string {
  return typeof outcome === 'string' ? outcome : outcome.type;
}

/** All readable data, without cursors. */
async function snapshot(store: Store): Promise<object> {
  const { tasks } = available(await store.listTasks());
  const details = await Promise.all(tasks.map(({ id }) => taskOf(store, id)));
  const attempts = await Promise.all(tasks.map(async ({ id }) => store.attempts({ taskId: id })));
  const events = (await allEvents(store)).filter(({ kind: name }) => !name.startsWith('store.'));
  const changes = events.map(({ cursor: _, ...event }) => event);
  const { workers } = available(await store.workers());
  const { launches } = available(await store.launches());
  return { details, attempts, workers, launches, changes };
}

type Facts = Record<string, string | number | boolean | null>;

const TASK_FACTS = ['state', 'runAt', 'unmetDependencies', 'holdReason', 'failures', 'reclaims', 'releases'];
const WORKER_FACTS = ['state', 'incarnation', 'suspectAt', 'stopBlocks'];
const NEW_TASK: Facts = { epoch: 0, attemptId: null, failures: 0, reclaims: 0, releases: 0 };

/** Builds the changing columns of the tables from the feed: they differ if a change was not recorded, or recorded twice. */
export function replayEvents(events: readonly StoreEvent[]) {
  const tasks = new Map<string, Facts>();
  const attempts = new Map<string, Facts>();
  const workers = new Map<string, Facts>();
  for (const { kind, taskId, attemptId, workerId, epoch, data } of events) {
    if (taskId !== null) {
      const claim = kind === 'task.claimed' || kind === 'task.offered' ? { epoch, attemptId } : {};
      tasks.set(taskId, { ...NEW_TASK, ...tasks.get(taskId), ...pick(data, TASK_FACTS), ...claim });
    }
    if (attemptId !== null && data.attemptState !== undefined) attempts.set(attemptId, { state: data.attemptState });
    if (kind.startsWith('worker.') && workerId !== null) {
      const fresh = data.incarnation !== undefined && workers.get(workerId)?.incarnation !== data.incarnation;
      const before = fresh ? { stopBlocks: 0, suspectAt: null } : workers.get(workerId);
      workers.set(workerId, { ...before, ...pick(data, WORKER_FACTS) });
    }
  }
  return { tasks, attempts, workers };
}

function pick(data: StoreEvent['data'], names: readonly string[]): Facts {
  return Object.fromEntries(names.flatMap((name) => (data[name] === undefined ? [] : [[name, data[name]]])));
}
