import { available } from '../../store/unavailable.ts';
import { moved, worker } from './steps.ts';
import { type Cases, is, lastKinds } from './storeCase.ts';

const MINUTE_MS = 60_000;
const THREE = { leaseMs: 3 * MINUTE_MS };
const TEN = { leaseMs: 10 * MINUTE_MS };
const COORDINATOR = { name: 'fleet:box', holder: 'c1', ttlMs: 10_000 };

/** How long a silent worker keeps its task is the same for all workers and coordinators of a store. */
export const leaseCases: Cases = {
  'the first worker decides it, and one with another is refused': async (store, { connect }) => {
    is(available(await store.about()), { leaseMs: null });
    await worker(store, 'a', THREE);
    is(available(await store.about()), THREE);
    const far = await connect();
    is(await far.registerWorker({ workerId: 'b', ...TEN }), { type: 'otherLease', ...THREE });
    is(await far.workers({ workerId: 'b' }), { workers: [] });
    is(await far.registerWorker({ workerId: 'b', ...THREE }), { type: 'registered' });
    // a person's shell has none
    is(await far.registerWorker({ workerId: 'c', kind: 'manual' }), { type: 'registered' });
  },

  'a coordinator decides it too, and keeps nothing when it is refused': async (store) => {
    is(await store.lead({ ...COORDINATOR, ...TEN }), { type: 'leading', epoch: 1 });
    is(await store.lead({ ...COORDINATOR, ...TEN }), { type: 'leading', epoch: 1 });
    is(await store.lead({ ...COORDINATOR, name: 'fleet:far', ...THREE }), { type: 'otherLease', ...TEN });
    is(await store.registerWorker({ workerId: 'a', ...THREE }), { type: 'otherLease', ...TEN });
    // a leader of something other than a fleet has none
    is(await store.lead({ ...COORDINATOR, name: 'landing x' }), { type: 'leading', epoch: 1 });
  },

  'of two first ones, one decides it': async (store, { connect }) => {
    const far = await connect();
    const answers = await Promise.all([
      store.registerWorker({ workerId: 'a', ...THREE }),
      far.registerWorker({ workerId: 'b', ...TEN }),
    ]);
    const { leaseMs } = available(await store.about());
    const types = leaseMs === THREE.leaseMs ? ['registered', 'otherLease'] : ['otherLease', 'registered'];
    is(
      answers.map(({ type }) => type),
      types,
    );
  },

  'it is changed only while no worker and no coordinator runs': async (store, { advance }) => {
    is(await store.setLease(TEN), { type: 'changed' });
    is(await store.setLease(TEN), { type: 'unchanged' });
    const by = await worker(store, 'a', TEN);
    await worker(store, 'shell', { kind: 'manual' });
    is(await store.lead({ ...COORDINATOR, ...TEN }), { type: 'leading' });
    is(await store.setLease(THREE), { type: 'refused', ...TEN, workers: ['a'], fleets: ['box'] });
    await store.stopWorker({ ...by, exitReason: 'over' });
    is(await store.launch({ slot: 'b', deadlineMs: 20_000 }), { type: 'launching' });
    is(await store.setLease(THREE), { type: 'refused', workers: ['b'], fleets: ['box'] });
    await advance(10_000);
    is(await store.setLease(THREE), { type: 'refused', workers: ['b'], fleets: [] });
    await advance(10_000);
    is(await store.setLease({ ...THREE, actor: 'me' }), { type: 'changed' });
    is(await lastKinds(store, 1), ['store.leaseSet']);
    // one that was away in the meantime
    is(await store.lead({ ...COORDINATOR, ...TEN }), { type: 'otherLease', ...THREE });
    is(await store.registerWorker({ workerId: 'a', ...TEN }), { type: 'otherLease', ...THREE });
  },

  'it moves with the store': async (store, { another }) => {
    await store.setLease(TEN);
    const there = await moved(store, another);
    is(available(await there.about()), TEN);
    is(await there.registerWorker({ workerId: 'a', ...THREE }), { type: 'otherLease', ...TEN });
  },

  'a store with a lease of its own is refused as the target of a move': async (store, { another }) => {
    await store.setLease(TEN);
    await worker(store, 'a', TEN);
    await store.startMove({ to: 'elsewhere' });
    const there = await another();
    await there.setLease(THREE);
    is(await there.importAll(store.exportAll()), { type: 'refused', reason: 'notEmpty' });
    is(available(await there.about()), THREE);
  },
};
