import { add, addOne, claim, lose, tryClaim, worker } from './steps.ts';
import { type Cases, is, taskOf, workerOf } from './storeCase.ts';

/** Deliver, then acknowledge. */
export const offerCases: Cases = {
  'an offer that is not acknowledged returns to its old place, without penalty': async (store, { advance }) => {
    const [id] = await add(store, 'first', 'second');
    const by = await worker(store);
    const { lease, attempt } = await claim(store, by, { offerMs: 5_000 });
    is(attempt, { state: 'offered', startedAt: null, offerUntil: attempt.claimedAt + 5_000 });
    is(await taskOf(store, id), { state: 'claimed' });
    await advance(5_000);
    const again = await claim(store, await worker(store, 'w2'));
    is(again, { task: { id, failures: 0, reclaims: 0 }, lease: { epoch: 2 }, previous: { outcome: 'offer_expired' } });
    is(await store.acknowledge({ lease }), { type: 'superseded', epoch: 2 });
    is(await workerOf(store, 'w1'), { status: 'idle', attemptId: null });
  },

  'an offer that is acknowledged stays, and its time starts then': async (store, { advance }) => {
    await addOne(store, { title: 'x', timeBudgetMs: 60_000 });
    const by = await worker(store);
    const { lease, attempt } = await claim(store, by, { offerMs: 5_000 });
    await advance(2_000);
    is(await store.acknowledge({ lease }), { type: 'acknowledged' });
    is(await store.acknowledge({ lease }), { type: 'acknowledged' });
    await advance(60_000);
    is(await store.expireOffers(), { type: 'expired', count: 0 });
    is(await store.heartbeat({ ...by, lease }), { type: 'ok', deadlineAt: attempt.claimedAt + 62_000 });
  },

  'an offer of a worker that died returns immediately and counts no loss': async (store) => {
    const id = await addOne(store);
    const by = await worker(store);
    await claim(store, by, { offerMs: 60_000 });
    await lose(store, by);
    is(await taskOf(store, id), { status: 'ready', reclaims: 0, failures: 0 });
  },

  'a result for an offer counts as its acknowledgement': async (store) => {
    const id = await addOne(store);
    const { lease } = await claim(store, await worker(store), { offerMs: 5_000 });
    is(await store.complete({ lease, result: 'quick' }), { type: 'accepted', late: false });
    is(await taskOf(store, id), { state: 'done', result: 'quick' });
  },

  'a task that is never acknowledged is not offered forever': async (store, { advance }) => {
    const id = await addOne(store, { title: 'x', maxReleases: 3 });
    for (let offer = 1; offer <= 3; offer++) {
      await claim(store, await worker(store, `w${offer}`), { offerMs: 1_000 });
      await advance(1_000);
      is(await store.expireOffers(), { type: 'expired', count: 1 });
    }
    const lastError =
      'It was started and given back 3 times without being settled; the last time, no worker accepted it in time.';
    is(await taskOf(store, id), { state: 'dead', releases: 3, failures: 0, lastError });
    is(await tryClaim(store, await worker(store)), { type: 'empty' });
  },
};
