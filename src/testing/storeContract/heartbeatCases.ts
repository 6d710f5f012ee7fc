import assert from 'node:assert/strict';
import { claim, claimed, lose, worker } from './steps.ts';
import { type Cases, is, workerOf } from './storeCase.ts';

/** Heartbeat and activity, notes, and the orders in the answer. */
export const heartbeatCases: Cases = {
  'a heartbeat shows that it is alive, activity that it makes progress': async (store, { advance }) => {
    const by = await worker(store);
    const start = await workerOf(store, 'w1');
    await advance(20_000);
    is(await store.heartbeat(by), { type: 'ok', deadlineAt: null });
    is(await workerOf(store, 'w1'), { heartbeatAt: start.heartbeatAt + 20_000, activityAt: start.activityAt });
    await advance(1_000);
    await store.heartbeat({ ...by, activity: true });
    is(await workerOf(store, 'w1'), { activityAt: start.activityAt + 21_000, toolStartedAt: null });
    await store.heartbeat({ ...by, tool: 'started' });
    is(await workerOf(store, 'w1'), { toolStartedAt: start.activityAt + 21_000 });
    await store.heartbeat({ ...by, tool: 'ended' });
    is(await workerOf(store, 'w1'), { toolStartedAt: null });
  },

  'notes of one attempt reach the next, with their age': async (store, { advance }) => {
    const { lease, by } = await claimed(store);
    await store.heartbeat({
      ...by,
      lease,
      checkpoint: 'tests pass, docs left',
      details: { branch: 'sg/1', tokens: 10 },
    });
    await store.heartbeat({ ...by, lease, details: { tokens: 25 } });
    const at = (await workerOf(store, 'w1')).heartbeatAt;
    await advance(60_000);
    await lose(store, by);
    await advance(60_000);
    const next = await claim(store, await worker(store, 'w2'));
    is(next.previous, { state: 'lost', epoch: 1, checkpoint: 'tests pass, docs left', checkpointAt: at });
    assert.deepEqual(next.previous?.details, { branch: 'sg/1', tokens: 25 });
    is(next, { attemptNumber: 2 });
  },

  'a heartbeat reports the loss of the task or the slot': async (store, { advance }) => {
    const { lease, by } = await claimed(store);
    is(await store.heartbeat({ ...by, lease: { ...lease, epoch: 7 } }), { type: 'superseded', by: 'task' });
    is(await store.heartbeat({ ...by, incarnation: 9 }), { type: 'superseded', by: 'worker' });
    is(await store.heartbeat({ workerId: 'unknown', incarnation: 1 }), { type: 'superseded', by: 'worker' });
    await lose(store, by);
    is(await store.heartbeat({ ...by, lease }), { type: 'superseded', by: 'worker' });
    const next = await worker(store);
    is(await store.heartbeat({ ...next, lease }), { type: 'superseded', by: 'task' });
    await advance(600_000);
    await claim(store, next);
    is(await store.heartbeat({ ...next, lease }), { type: 'superseded', by: 'task' });
  },

  'the next heartbeat reports a cancelled task, then draining, then a pause': async (store) => {
    const { lease, by, task } = await claimed(store);
    await store.updateWorker({ ...by, accountKey: 'acme' });
    await store.pauseAccount({ key: 'acme', until: { ms: 1_000 }, source: 'test' });
    is(await store.heartbeat({ ...by, lease }), { type: 'pausedUntil' });
    await store.drainWorker({ workerId: 'w1' });
    is(await store.heartbeat({ ...by, lease }), { type: 'drain' });
    await store.cancel({ taskId: task.id });
    is(await store.heartbeat({ ...by, lease }), { type: 'cancel' });
    is(await store.heartbeat(by), { type: 'drain' });
  },

  'a new incarnation inherits no clock of the old one': async (store, { advance }) => {
    await worker(store, 'w1', { host: 'here', pid: 7 });
    await advance(7 * 24 * 3_600_000);
    const by = await worker(store);
    const fresh = await workerOf(store, 'w1');
    assert.equal(fresh.heartbeatAt, fresh.registeredAt);
    is(fresh, {
      incarnation: 2,
      pid: null,
      host: null,
      suspectAt: null,
      lastClaimedAt: null,
      idleSince: fresh.registeredAt,
    });
    is(await store.reap({ ...by, evidence: 'lapsed', staleAfterMs: 120_000, graceMs: 30_000 }), { type: 'alive' });
  },
};
