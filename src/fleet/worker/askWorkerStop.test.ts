import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openStore } from '../../store/openStore.ts';
import type { Store } from '../../store/types.ts';
import { type FakeClock, fakeClock } from '../../testing/fakeClock.ts';
import { askWorkerStop, type WorkerStop, type WorkerStopAnswer } from './askWorkerStop.ts';

const MINUTE = 60_000;

let clock: FakeClock;
let store: Store;
let claims: number;

beforeEach(async () => {
  clock = fakeClock(Date.UTC(2026, 10, 15, 12));
  const opened = await openStore(':memory:', { clock });
  if ('type' in opened) throw new Error(opened.reason);
  store = opened;
  claims = 0;
  await store.registerWorker({ workerId: 'w', idleLimitMs: 10 * MINUTE, accountKey: 'a' });
});
afterEach(() => store.close());

function stop(more: Partial<WorkerStop> = {}): Promise<WorkerStopAnswer> {
  return askWorkerStop({
    store,
    workerId: 'w',
    incarnation: 1,
    usedTool: false,
    answerInMs: 60 * MINUTE,
    limits: { heldBlocks: 3, hostBlocks: null },
    clock,
    newClaimKey: () => `claim-${++claims}`,
    signal: new AbortController().signal,
    ...more,
  });
}

const add = async (title: string, more = {}) => {
  const added = await store.addTasks({ tasks: [{ title, ...more }] });
  return added.type === 'added' ? (added.tasks[0]?.id ?? '') : expect.unreachable(JSON.stringify(added));
};
const worker = async () => {
  const listed = await store.workers({ workerId: 'w' });
  return listed.type === 'workers' ? listed.workers[0] : undefined;
};

/** Lets a waiting stop run until the clock has moved this far. */
async function pass(ms: number): Promise<void> {
  for (let moved = 0; moved < ms; moved += 5_000) await clock.advance(Math.min(5_000, ms - moved));
}

describe('the stop hook that waits', () => {
  it('gives a task with a budget of its own to a new agent, and counts nothing', async () => {
    const id = await add('Paint the fence', { tokenBudget: 100 });
    expect(await stop()).toMatchObject({ type: 'approve', why: 'oneTask', reason: expect.stringContaining(id) });
    expect(await store.task({ id })).toMatchObject({ task: { status: 'ready', releases: 0, epoch: 1 } });
    // the worker itself, which starts one
    expect(await stop({ answerInMs: null })).toMatchObject({ type: 'block' });
  });

  it('hands over a task that is there, and holds it only when that was delivered', async () => {
    const id = await add('Paint the fence', { body: 'In white.' });
    const answer = await stop();
    expect(answer).toMatchObject({ type: 'block', reason: expect.stringContaining('Paint the fence') });
    expect(answer.reason).toContain(`stopgate task complete ${id} --epoch 1`);
    expect(await store.attempts({ taskId: id })).toMatchObject({ attempts: [{ state: 'offered' }] });
    if (answer.type === 'block') await answer.delivered?.();
    expect(await store.attempts({ taskId: id })).toMatchObject({ attempts: [{ state: 'active' }] });
  });

  it('gives an offer back that was never delivered', async () => {
    const id = await add('x');
    await stop();
    await pass(MINUTE);
    await store.expireOffers({});
    expect(await store.task({ id })).toMatchObject({ task: { status: 'ready', failures: 0, reclaims: 0 } });
  });

  it('waits without an answer, beating, until a task comes', async () => {
    let answer: WorkerStopAnswer | undefined;
    const waiting = stop().then((given) => {
      answer = given;
    });
    await pass(5 * MINUTE);
    expect(answer).toBeUndefined();
    expect(clock.now() - ((await worker())?.heartbeatAt ?? 0)).toBeLessThan(20_000);
    await add('Late but here');
    await pass(5_000);
    await waiting;
    expect(answer).toMatchObject({ type: 'block', reason: expect.stringContaining('Late but here') });
  });

  it('lets the worker stop when its idle window is over, and reports how long it was', async () => {
    const waiting = stop();
    await pass(11 * MINUTE);
    expect(await waiting).toEqual({
      type: 'approve',
      why: 'idle',
      reason: 'No task arrived for 10m, so this worker may stop.',
    });
  });

  it('lets the worker go soon after its tasks have moved to another store, which it never gets a task from', async () => {
    let answer: WorkerStopAnswer | undefined;
    void stop().then((given) => {
      answer = given;
    });
    await pass(MINUTE);
    expect(await store.startMove({ to: '/other.db' })).toEqual({ type: 'moving' });
    await pass(MINUTE);
    expect(answer).toMatchObject({ type: 'approve', why: 'storeUnavailable' });
  });

  it('gives a fresh window after every task', async () => {
    await add('one');
    const first = await stop();
    if (first.type === 'block') await first.delivered?.();
    await pass(30 * MINUTE);
    const held = await worker();
    await store.complete({
      lease: { taskId: held?.taskId ?? '', attemptId: held?.attemptId ?? '', epoch: 1, workerId: 'w', incarnation: 1 },
      result: 'ok',
    });
    let answer: WorkerStopAnswer | undefined;
    void stop({ usedTool: true }).then((given) => {
      answer = given;
    });
    await pass(9 * MINUTE);
    expect(answer).toBeUndefined();
    await pass(2 * MINUTE);
    expect(answer).toMatchObject({ type: 'approve' });
  });

  it('sends it back to the task it holds, three times, then counts a failure', async () => {
    const id = await add('held');
    const first = await stop();
    if (first.type === 'block') await first.delivered?.();
    await store.updateWorker({ workerId: 'w', incarnation: 1, stopBlock: 'clear' });
    for (let again = 0; again < 3; again++) {
      const answer = await stop();
      expect(answer).toMatchObject({ type: 'block', reason: expect.stringContaining(`You still hold task ${id}`) });
      if (answer.type === 'block') await answer.delivered?.();
    }
    expect(await stop()).toMatchObject({ type: 'approve', reason: expect.stringContaining('counts as failed') });
    expect(await store.task({ id })).toMatchObject({
      task: { status: 'delayed', failures: 1, lastError: expect.stringContaining('without settling its task') },
    });
  });

  it('starts counting anew when a tool was used', async () => {
    await add('held');
    const first = await stop();
    if (first.type === 'block') await first.delivered?.();
    for (let again = 0; again < 8; again++) {
      const answer = await stop({ usedTool: true });
      expect(answer.type).toBe('block');
      if (answer.type === 'block') await answer.delivered?.();
    }
  });

  it('blocks once with a way to wait on when its own time is over first', async () => {
    const waiting = stop({ answerInMs: 2 * MINUTE });
    await pass(3 * MINUTE);
    expect(await waiting).toMatchObject({ type: 'block', reason: expect.stringContaining('stopgate worker wait') });
  });

  it('is not kept by tasks it could not take', async () => {
    const first = await add('first', { type: 'other' });
    await add('blocked', { dependsOn: [first] });
    await store.registerWorker({ workerId: 'w2', types: ['mine'], idleLimitMs: 10 * MINUTE });
    const waiting = stop({ workerId: 'w2' });
    await pass(11 * MINUTE);
    expect(await waiting).toMatchObject({ type: 'approve' });
  });

  it('waits for a paused account, and claims when it is over', async () => {
    await add('x');
    await store.pauseAccount({ key: 'a', until: { ms: 3 * MINUTE }, source: 'test' });
    let answer: WorkerStopAnswer | undefined;
    void stop().then((given) => {
      answer = given;
    });
    await pass(2 * MINUTE);
    expect(answer).toBeUndefined();
    await pass(2 * MINUTE);
    expect(answer).toMatchObject({ type: 'block' });
  });

  it.each([
    ['the stop is exempt', { exemption: { why: 'the person interrupted the turn', limit: null } }],
    ['the incarnation is old', { incarnation: 7 }],
    ['the worker is unknown', { workerId: 'unknown' }],
  ])('lets the worker stop when %s', async (_why, more) => {
    await add('x');
    expect(await stop(more)).toMatchObject({ type: 'approve' });
  });

  it('lets a drained worker go, with its task back in the queue', async () => {
    const id = await add('x');
    const first = await stop();
    if (first.type === 'block') await first.delivered?.();
    await store.drainWorker({ workerId: 'w' });
    expect(await stop()).toMatchObject({ type: 'approve', reason: expect.stringContaining('drained') });
    expect(await store.task({ id })).toMatchObject({ task: { state: 'queued', failures: 0 } });
  });

  it('does not wait on when one task is all it is for', async () => {
    await add('one');
    const first = await stop({ oneTask: false });
    if (first.type === 'block') await first.delivered?.();
    const held = await worker();
    const lease = {
      taskId: held?.taskId ?? '',
      attemptId: held?.attemptId ?? '',
      epoch: 1,
      workerId: 'w',
      incarnation: 1,
    };
    await store.complete({ lease, result: 'ok' });
    await add('two');
    expect(await stop({ oneTask: true })).toMatchObject({ type: 'approve' });
  });

  it('lets the worker stop when the store is gone', async () => {
    await store.close();
    expect(await stop()).toMatchObject({ type: 'approve' });
  });
});
