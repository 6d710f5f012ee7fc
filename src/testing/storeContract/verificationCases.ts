import assert from 'node:assert/strict';
import { add, claim, claimed, toVerify, tryClaim, worker } from './steps.ts';
import { attemptsOf, type Cases, is, lastKinds, taskOf } from './storeCase.ts';

const JUDGE = { verdict: 'rejected', reason: 'no', inputTokens: 10, outputTokens: 1, asks: 1 } as const;

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
    const details = { verifiedCommit: 'c1', verifiedBy: 'v' };
    await store.settleVerification({ ...(await toVerify(store)), verdict: 'reject', notes: 'line 3', details });
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

  'the judge of a task is kept and changed like its other fields, and never without something before it': async (
    store,
  ) => {
    const [id] = await add(store, { title: 'x', verify: 'npm test', judge: 'tested' });
    is(await taskOf(store, id), { judge: 'tested' });
    is((await claim(store, await worker(store))).task, { judge: 'tested', verify: 'npm test' });
    is(await store.amendTask({ taskId: id, judge: 'tested well' }), { type: 'amended' });
    is(await taskOf(store, id), { judge: 'tested well' });
    is(await store.amendTask({ taskId: id, judge: null }), { type: 'amended' });
    is(await taskOf(store, id), { judge: null });
    const refused = { type: 'refused', problem: 'invalid' };
    is(await store.addTasks({ tasks: [{ title: 'x', verify: '', judge: 'tested' }] }), refused);
    is(await store.addTasks({ tasks: [{ title: 'x', judge: ' ' }] }), refused);
    is(await store.addTasks({ tasks: [{ title: 'by the definition of done', judge: 'tested' }] }), { type: 'added' });
  },

  'what a judge cost counts towards the budgets, beside what the agent spent': async (store) => {
    const { lease, task } = await claimed(store, { title: 'x', verify: 'look', costBudgetUsd: 1, backoffMs: 0 });
    await store.complete({ lease, result: 'r', details: { costUsd: 0.75, tokens: 5 } });
    const judge = { ...JUDGE, costUsd: 0.5 };
    const settled = { ...(await toVerify(store)), verdict: 'reject', details: { judge } } as const;
    is(await store.settleVerification(settled), { type: 'dead' });
    is(await taskOf(store, task.id), { lastError: 'Its budget is used up: $1.25 of $1.00, over all attempts.' });
    is((await attemptsOf(store, task.id))[0]?.details, { costUsd: 0.75, tokens: 5, judge });
  },

  'tokens of a judge count too': async (store) => {
    const { lease, task } = await claimed(store, { title: 'x', verify: 'look', tokenBudget: 10, backoffMs: 0 });
    await store.complete({ lease, result: 'r', details: { tokens: 5 } });
    const details = { judge: { ...JUDGE, outputTokens: 5 } };
    await store.settleVerification({ ...(await toVerify(store)), verdict: 'reject', details });
    is(await taskOf(store, task.id), {
      state: 'dead',
      lastError: 'Its budget is used up: 10 of 10 tokens, over all attempts.',
    });
  },

  'a rejection may hold the task for a person, unless it is dead': async (store, { advance }) => {
    const { lease, by, task } = await claimed(store, { title: 'x', verify: 'look', backoffMs: 0, maxFailures: 2 });
    const rejectHeld = async () => {
      const own = await toVerify(store);
      return store.settleVerification({ ...own, verdict: 'reject', reason: 'no', hold: 'look at it' });
    };
    await store.complete({ lease, result: 'r' });
    is(await rejectHeld(), { type: 'requeued' });
    is(await lastKinds(store, 2), ['task.rejected', 'task.held']);
    is(await taskOf(store, task.id), { status: 'held', holdReason: 'look at it', failures: 1, lastError: 'no' });
    await advance(10);
    is(await tryClaim(store, by), { type: 'empty', held: 1 });
    is(await store.unhold({ taskId: task.id }), { type: 'changed' });
    await store.complete({ lease: (await claim(store, by)).lease, result: 'r' });
    is(await rejectHeld(), { type: 'dead' });
    is(await taskOf(store, task.id), { status: 'dead', holdReason: null });
  },

  'a verifier notes what it found so far while it keeps the task': async (store) => {
    const { lease, task } = await claimed(store, { title: 'x', verify: 'look' });
    await store.complete({ lease, result: 'r', details: { headCommit: 'c1' } });
    const own = { ...(await toVerify(store)), ttlMs: 1_000 };
    const judge = { ...JUDGE, verdict: 'none', askAgainAt: 5 } as const;
    is(await store.renewVerification({ ...own, details: { judge } }), { type: 'renewed' });
    is((await attemptsOf(store, task.id))[0]?.details, { headCommit: 'c1', judge });
    const late = { ...own, verifyEpoch: own.verifyEpoch + 1, details: { judge: { ...judge, asks: 9 } } };
    is(await store.renewVerification(late), { type: 'superseded' });
    is((await attemptsOf(store, task.id))[0]?.details, { judge });
  },
};
