import assert from 'node:assert/strict';
import { add, claim, claimed } from './steps.ts';
import { attemptsOf, type Cases, is, taskOf } from './storeCase.ts';

/** Which completed work is verified, by whom, and what the verifier leaves. */
export const verificationCases: Cases = {
  'a verifier keeps a task by renewing it, until another one has taken it': async (store, { advance }) => {
    const { lease, task } = await claimed(store, { title: 'x', verify: 'npm test' });
    await store.complete({ lease, result: 'r' });
    is(await taskOf(store, task.id), { verifyHolder: null, verifyUntil: null });
    const first = await store.takeVerification({ holder: 'v1', ttlMs: 1_000 });
    assert.ok(first.type === 'taken');
    const own = { taskId: task.id, verifyEpoch: first.verifyEpoch, ttlMs: 1_000 };
    await advance(900);
    is(await store.renewVerification(own), { type: 'renewed', untilAt: first.untilAt + 900 });
    await advance(900);
    is(await store.takeVerification({ holder: 'v2', ttlMs: 1_000 }), { type: 'empty' });
    is(await taskOf(store, task.id), { verifyHolder: 'v1', verifyUntil: first.untilAt + 900 });
    await advance(200);
    is(await store.takeVerification({ holder: 'v2', ttlMs: 1_000 }), { type: 'taken', task: { verifyHolder: 'v2' } });
    is(await store.renewVerification(own), { type: 'superseded' });
    is(await store.cancel({ taskId: task.id }), { type: 'changed' });
    is(await store.renewVerification({ ...own, verifyEpoch: first.verifyEpoch + 1 }), { type: 'superseded' });
  },

  'what a verifier found stays with the attempt': async (store, { advance }) => {
    const { lease, by, task } = await claimed(store, { title: 'x', verify: 'look', backoffMs: 0 });
    await store.complete({ lease, result: 'r', details: { headCommit: 'c1' } });
    const taken = await store.takeVerification({ holder: 'v', ttlMs: 1_000 });
    assert.ok(taken.type === 'taken');
    const { verifyEpoch } = taken;
    const details = { verifiedCommit: 'c1', verifiedBy: 'v' };
    await store.settleVerification({ taskId: task.id, verifyEpoch, verdict: 'reject', notes: 'line 3', details });
    is((await attemptsOf(store, task.id))[0]?.details, { headCommit: 'c1', verifiedCommit: 'c1', verifiedBy: 'v' });
    await advance(1);
    is((await claim(store, by)).previous, { checkpoint: 'line 3', details });
  },

  'an attempt is verified when it says so, and a task that wants none is not': async (store) => {
    const mark = { verify: 'definition of done' };
    const { by, lease } = await claimed(store, { title: 'by the attempt' });
    await store.heartbeat({ ...by, lease, details: mark });
    is(await store.complete({ lease, result: '' }), { type: 'accepted', taskState: 'verifying' });
    await add(store, 'at its completion');
    is(await store.complete({ lease: (await claim(store, by)).lease, result: '', details: mark }), {
      taskState: 'verifying',
    });
    await add(store, { title: 'never', verify: '' });
    is(await store.complete({ lease: (await claim(store, by)).lease, result: '', details: mark }), {
      taskState: 'done',
    });
    await add(store, { title: 'never', verify: '' });
    is(await store.complete({ lease: (await claim(store, by)).lease, result: '' }), { taskState: 'done' });
  },
};
