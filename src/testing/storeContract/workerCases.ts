import assert from 'node:assert/strict';
import { available } from '../../store/unavailable.ts';
import { addOne, claim, claimed, lose, REAP, tryClaim, worker } from './steps.ts';
import { attemptsOf, type Cases, is, taskOf, workerOf } from './storeCase.ts';

const LAPSED = { evidence: 'lapsed', staleAfterMs: 120_000, graceMs: 30_000 } as const;

/** Slots and their incarnations, launches, deaths, accounts, leaders. */
export const workerCases: Cases = {
  'each registration of a slot is the next incarnation': async (store) => {
    const facts = { kind: 'critical', host: 'h', pid: 42, pidStart: '123', sessionId: 's', accountKey: 'a' } as const;
    is(await worker(store, 'w1', { ...facts, idleLimitMs: 600_000, types: ['a', 'b'] }), { incarnation: 1 });
    is(await workerOf(store, 'w1'), {
      ...facts,
      idleLimitMs: 600_000,
      types: ['a', 'b'],
      status: 'idle',
      taskId: null,
    });
    is(await worker(store, 'w1'), { incarnation: 2 });
    is(await store.registerWorker({ workerId: 'w1', incarnation: 2, sessionId: 's2' }), {
      type: 'registered',
      incarnation: 2,
    });
    is(await store.registerWorker({ workerId: 'w1', incarnation: 1 }), { type: 'staleIncarnation', incarnation: 2 });
    is(await store.updateWorker({ workerId: 'w1', incarnation: 1, pid: 1 }), {
      type: 'staleIncarnation',
      incarnation: 2,
    });
    is(await store.updateWorker({ workerId: 'w9', incarnation: 1, pid: 1 }), { type: 'unknownWorker' });
    is(await store.updateWorker({ workerId: 'w1', incarnation: 2, pid: 77 }), { type: 'updated' });
    is(await workerOf(store, 'w1'), { pid: 77, sessionId: 's2' });
    await worker(store, 'w2');
    assert.equal(available(await store.workers({ sessionId: 's2' })).workers.length, 1);
    assert.equal(available(await store.workers()).workers.length, 2);
  },

  'a process that registers again is the same incarnation while it is live': async (store) => {
    const own = { host: 'h#a', pid: 42, pidStart: '123' };
    is(await worker(store, 'w1', own), { incarnation: 1 });
    is(await worker(store, 'w1', own), { incarnation: 1 });
    assert.equal(available(await store.launches({ slot: 'w1' })).launches.length, 1);
    is(await worker(store, 'w1', { ...own, pidStart: '124' }), { incarnation: 2 });
    is(await worker(store, 'w1', { ...own, host: 'h#b', pidStart: '124' }), { incarnation: 3 });
    is(await worker(store, 'w1', { host: 'h#b', pid: 42 }), { incarnation: 4 });
    is(await worker(store, 'w1', { host: 'h#b', pid: 42 }), { incarnation: 5 });
    await worker(store, 'w1', own);
    is(await store.stopWorker({ workerId: 'w1', incarnation: 6, exitReason: 'x' }), { type: 'stopped' });
    is(await worker(store, 'w1', own), { incarnation: 7 });
  },

  'a slot whose last incarnation holds a task is occupied until that one is reaped': async (store, { advance }) => {
    const { lease, by, task } = await claimed(store);
    is(await store.registerWorker({ workerId: 'w1' }), { type: 'occupied', lease, worker: { status: 'busy' } });
    is(await store.launch({ slot: 'w1', deadlineMs: 1 }), { type: 'occupied', lease });
    await lose(store, by);
    const next = await worker(store);
    is(next, { incarnation: 2 });
    is(await taskOf(store, task.id), { state: 'queued' });
    is(await store.reap({ ...by, ...REAP }), { type: 'staleIncarnation', incarnation: 2 });
    await advance(60_000);
    is(await claim(store, next), { lease: { epoch: 2 } });
  },

  'a launch reserves a slot for one process, until its deadline': async (store, { advance }) => {
    const leading = await store.lead({ name: 'fleet', holder: 'c1', ttlMs: 60_000 });
    assert.ok(leading.type === 'leading');
    const leader = { name: 'fleet', holder: 'c1', epoch: leading.epoch };
    is(await store.launch({ slot: 's1', deadlineMs: 10_000, leader, kind: 'temporary' }), {
      type: 'launching',
      incarnation: 1,
    });
    is(await store.launch({ slot: 's1', deadlineMs: 10_000, leader }), { type: 'occupied', lease: null });
    is(await store.launch({ slot: 's2', deadlineMs: 1, leader: { ...leader, holder: 'c2' } }), { type: 'notLeading' });
    is(await store.registerWorker({ workerId: 's1', incarnation: 1, pid: 5 }), { type: 'registered', incarnation: 1 });
    is(await workerOf(store, 's1'), { status: 'idle', kind: 'temporary', pid: 5, launchUntil: null });
    is(await store.launch({ slot: 's2', deadlineMs: 10_000 }), { type: 'launching' });
    is(await store.reap({ workerId: 's2', incarnation: 1, ...LAPSED, staleAfterMs: 0 }), { type: 'alive' });
    is(await store.endLaunch({ slot: 's2', incarnation: 1, result: 'spawn failed' }), { type: 'noted' });
    is(await store.endLaunch({ slot: 's2', incarnation: 1, result: 'again' }), { type: 'unchanged' });
    is(await store.registerWorker({ workerId: 's2', incarnation: 1 }), { type: 'staleIncarnation' });
    await advance(60_000);
    is(await store.launch({ slot: 's2', deadlineMs: 1, leader }), { type: 'notLeading' });
    is(await store.launch({ slot: 's2', deadlineMs: 10_000 }), { type: 'launching', incarnation: 2 });
    await advance(10_000);
    is(await store.launch({ slot: 's2', deadlineMs: 10_000 }), { type: 'launching', incarnation: 3 });
    const { launches } = available(await store.launches({ slot: 's2' }));
    assert.deepEqual(
      launches.map(({ incarnation, result }) => [incarnation, result]),
      [
        [3, null],
        [2, null],
        [1, 'spawn failed'],
      ],
    );
    assert.equal(available(await store.launches({ slot: 's2', withinMs: 5_000 })).launches.length, 1);
  },

  'a worker that holds a task cannot stop': async (store) => {
    const { lease, by } = await claimed(store);
    is(await store.stopWorker({ ...by, exitReason: 'idle' }), { type: 'holding', lease });
    await store.release({ lease, reason: 'drained' });
    is(await store.stopWorker({ ...by, exitCode: 0, exitReason: 'idle' }), { type: 'stopped' });
    is(await store.stopWorker({ ...by, exitReason: 'idle' }), { type: 'stopped' });
    is(await workerOf(store, 'w1'), { status: 'stopped', exitCode: 0, exitReason: 'idle' });
    assert.equal(available(await store.workers({ running: true })).workers.length, 0);
    is(available(await store.launches()).launches[0], { slot: 'w1', result: 'idle' });
  },

  'idle time runs from the latest of registering, claiming and settling': async (store, { advance }) => {
    const minutes = (count: number) => count * 60_000;
    const by = await worker(store);
    const { registeredAt } = await workerOf(store, 'w1');
    await advance(minutes(9));
    await store.heartbeat({ ...by, activity: true });
    is(await workerOf(store, 'w1'), { idleSince: registeredAt });
    await addOne(store);
    const { lease } = await claim(store, by);
    await advance(minutes(30));
    is(await workerOf(store, 'w1'), { idleSince: null });
    await store.complete({ lease, result: 'ok' });
    await advance(minutes(10));
    is(await workerOf(store, 'w1'), { idleSince: registeredAt + minutes(39) });
  },

  'the task of a dead process goes back immediately, with a delay, and counts a loss': async (store) => {
    const { by, task, lease } = await claimed(store);
    const now = (await workerOf(store, 'w1')).lastClaimedAt as number;
    is(await store.reap({ ...by, ...REAP, reason: 'SIGKILL', exitCode: 137 }), {
      type: 'reaped',
      task: { state: 'queued' },
    });
    const { runAt, ...others } = await taskOf(store, task.id);
    is(others, { state: 'queued', reclaims: 1, failures: 0, status: 'delayed' });
    assert.ok(runAt >= now + 5_000 && runAt < now + 15_000);
    is(await workerOf(store, 'w1'), { status: 'lost', exitCode: 137, exitReason: 'SIGKILL', taskId: null });
    is((await attemptsOf(store, task.id))[0], { id: lease.attemptId, state: 'lost' });
    is(await store.reap({ ...by, ...REAP }), { type: 'unchanged' });
    is(await store.reap({ workerId: 'unknown', incarnation: 1, ...REAP }), { type: 'unknownWorker' });
  },

  'silence makes a worker suspect first, and lost only when it lasts': async (store, { advance }) => {
    const { by, task } = await claimed(store);
    is(await store.reap({ ...by, ...LAPSED }), { type: 'alive' });
    await advance(120_000);
    is(await store.reap({ ...by, ...LAPSED }), { type: 'suspect' });
    is(await workerOf(store, 'w1'), { status: 'suspect' });
    await advance(29_999);
    is(await store.reap({ ...by, ...LAPSED }), { type: 'suspect' });
    is(await store.heartbeat(by), { type: 'ok' });
    is(await workerOf(store, 'w1'), { status: 'busy', suspectAt: null });
    await advance(1);
    is(await store.reap({ ...by, ...LAPSED }), { type: 'alive' });
    await advance(120_000);
    await store.reap({ ...by, ...LAPSED });
    await advance(30_000);
    is(await store.reap({ ...by, ...LAPSED }), { type: 'reaped', task: { id: task.id } });
  },

  'after a sleep of the machine no live worker is reaped': async (store, { advance }) => {
    const workers = [];
    for (const name of ['a', 'b', 'c', 'd']) {
      const by = await worker(store, name);
      await addOne(store, `task of ${name}`);
      workers.push({ by, lease: (await claim(store, by)).lease });
    }
    await advance(9 * 3_600_000);
    for (const { by } of workers) is(await store.reap({ ...by, ...LAPSED }), { type: 'suspect' });
    for (const { by, lease } of workers) is(await store.heartbeat({ ...by, lease }), { type: 'ok' });
    await advance(30_000);
    for (const { by } of workers) is(await store.reap({ ...by, ...LAPSED }), { type: 'alive' });
    is(available(await store.counts()), { claimed: 4 });
  },

  'any sign of life ends suspicion: a claim, a completion': async (store, { advance }) => {
    const by = await worker(store);
    const suspect = async () => {
      await advance(120_000);
      is(await store.reap({ ...by, ...LAPSED }), { type: 'suspect' });
    };
    await suspect();
    is(await tryClaim(store, by), { type: 'empty' });
    is(await workerOf(store, 'w1'), { status: 'idle', suspectAt: null });
    await addOne(store);
    await suspect();
    const { lease } = await claim(store, by);
    is(await workerOf(store, 'w1'), { status: 'busy', suspectAt: null });
    await suspect();
    await store.complete({ lease, result: 'ok' });
    is(await workerOf(store, 'w1'), { status: 'idle', suspectAt: null });
  },

  'a task whose workers die is quarantined at its limit': async (store, { advance }) => {
    const id = await addOne(store, { title: 'poison', maxReclaims: 3 });
    for (const name of ['a', 'b', 'c']) {
      const by = await worker(store, name);
      is((await claim(store, by)).task, { id });
      await lose(store, by);
      await advance(60_000);
    }
    is(await taskOf(store, id), { state: 'dead', reclaims: 3, failures: 0 });
    is(await store.redrive({ taskId: id }), { type: 'changed' });
    is(await taskOf(store, id), { reclaims: 0, epoch: 3 });
  },

  'a process that will not die keeps its task, and that is recorded': async (store) => {
    const { by, task, lease } = await claimed(store);
    is(await store.deferReclaim({ ...by, reason: 'uninterruptible sleep' }), { type: 'noted' });
    is(await taskOf(store, task.id), { state: 'claimed' });
    const { events } = available(await store.events({ newest: true, limit: 1 }));
    is(events[0], { kind: 'worker.reclaimDeferred', workerId: 'w1', attemptId: lease.attemptId });
  },

  'blocked stops are counted until the turn ends': async (store) => {
    const by = await worker(store);
    const block = (reason: string) => store.updateWorker({ ...by, stopBlock: { reason } });
    is(await block('task 1'), { type: 'updated', stopBlocks: 1, sameReason: false });
    is(await block('task 1'), { stopBlocks: 2, sameReason: true });
    is(await block('task 2'), { stopBlocks: 3, sameReason: false });
    is(await workerOf(store, 'w1'), { stopBlocks: 3, lastBlockReason: 'task 2' });
    is(await store.updateWorker({ ...by, stopBlock: 'clear' }), { stopBlocks: 0 });
    is(await block('task 2'), { stopBlocks: 1, sameReason: false });
  },

  'the longer pause of an account counts, until it is resumed': async (store, { advance }) => {
    const pause = (ms: number) => store.pauseAccount({ key: 'a', until: { ms }, source: 'x' });
    const first = await pause(5_000);
    assert.ok(first.type === 'paused');
    is(await pause(1_000), { untilAt: first.untilAt });
    is(await store.pauseAccount({ key: 'a', until: { at: first.untilAt + 1 }, source: 'y' }), {
      untilAt: first.untilAt + 1,
    });
    is(await store.accounts(), { accounts: [{ key: 'a', pausedUntil: first.untilAt + 1, source: 'y' }] });
    is(await store.resumeAccount({ key: 'a' }), { type: 'resumed' });
    is(await store.resumeAccount({ key: 'a' }), { type: 'unchanged' });
    is(await store.accounts(), { accounts: [{ key: 'a', pausedUntil: null }] });
    await pause(1_000);
    await advance(1_000);
    is(await store.resumeAccount({ key: 'a' }), { type: 'unchanged' });
  },

  'one leads at a time, each term with a higher epoch': async (store, { advance }) => {
    const lead = (holder: string) => store.lead({ name: 'fleet', holder, ttlMs: 10_000 });
    is(await lead('a'), { type: 'leading', epoch: 1 });
    is(await lead('b'), { type: 'following', holder: 'a', epoch: 1 });
    await advance(9_000);
    is(await lead('a'), { type: 'leading', epoch: 1 });
    await advance(9_999);
    is(await lead('b'), { type: 'following' });
    await advance(1);
    is(await lead('b'), { type: 'leading', epoch: 2 });
    is(await lead('a'), { type: 'following', holder: 'b' });
    is(await store.resign({ name: 'fleet', holder: 'a', epoch: 1 }), { type: 'unchanged' });
    is(await store.resign({ name: 'fleet', holder: 'b', epoch: 2 }), { type: 'resigned' });
    is(await lead('a'), { type: 'leading', epoch: 3 });
    await advance(10_000);
    is(await lead('a'), { type: 'leading', epoch: 4 });
  },
};
