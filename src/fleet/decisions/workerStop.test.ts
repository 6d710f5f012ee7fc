import { describe, expect, it } from 'vitest';
import type { StopWorker } from './stopStep.ts';
import { decideWorkerStop } from './workerStop.ts';

const MINUTE = 60_000;
/** Minutes after 12:00. */
const at = (minute: number) => 1_700_000_000_000 + minute * MINUTE;

const registered: StopWorker = {
  registeredAt: at(0),
  lastClaimedAt: null,
  lastSettledAt: null,
  taskId: null,
  idleLimitMs: 10 * MINUTE,
};

/** Registered 12:00, a task at 12:09, works until 12:39, completes. */
function workerAt(minute: number): StopWorker {
  if (minute < 9) return registered;
  const working = { ...registered, lastClaimedAt: at(9), taskId: 't1' };
  return minute < 39 ? working : { ...working, taskId: null, lastSettledAt: at(39) };
}

describe('the worker of 12:00 to 12:49', () => {
  it.each(Array.from({ length: 50 }, (_unused, minute) => minute))('minute %i', (minute) => {
    const worker = workerAt(minute);
    const { decision, context } = decideWorkerStop({ now: at(minute), worker, pendingTasks: [] });
    expect(decision).toBe(minute === 49 ? 'approve' : 'block');
    const expected = minute < 9 ? minute : minute < 39 ? 0 : minute - 39;
    expect(context.idleMs).toBe(expected * MINUTE);
  });

  it('is given the task that arrives at 12:09', () => {
    const pendingTasks = [{ id: 't1', title: 'Fix the login' }];
    const { decision, reason } = decideWorkerStop({ now: at(9), worker: registered, pendingTasks });
    expect({ decision, reason }).toEqual({
      decision: 'block',
      reason: 'Task t1 is waiting for this worker: Fix the login',
    });
  });

  it('can go on for days, with a fresh window after every task', () => {
    let worker: StopWorker = registered;
    for (let minute = 9; minute < 3 * 24 * 60; minute += 9) {
      expect(decideWorkerStop({ now: at(minute), worker, pendingTasks: [] }).decision).toBe('block');
      worker = { ...worker, lastClaimedAt: at(minute), lastSettledAt: at(minute) };
    }
  });
});

describe('the reason of a decision', () => {
  const reason = (minute: number, worker: Partial<StopWorker> = {}, more: object = {}) =>
    decideWorkerStop({ now: at(minute), worker: { ...registered, ...worker }, pendingTasks: [], ...more }).reason;

  it.each([
    [reason(3), 'No task yet: idle for 3m, 7m left.'],
    [reason(3, { idleLimitMs: null }), 'No task yet: idle for 3m, no idle limit.'],
    [reason(12), 'No task arrived for 12m, so this worker may stop.'],
    [reason(75, { idleLimitMs: MINUTE }), 'No task arrived for 1h15m, so this worker may stop.'],
    [
      reason(5, {}, { answerBy: at(5) }),
      'No task yet, but this worker is still needed for up to 5m more. Run `stopgate worker wait --timeout 1s` once, then stop again; write nothing else.',
    ],
    [
      reason(5, { taskId: 't1' }, { held: { title: 'Fix\nit', deadlineAt: at(28) } }),
      'You still hold task t1 (Fix it). 23m left for it. Continue working on it, or settle it: `stopgate task complete t1`, `fail` or `release`.',
    ],
    [
      reason(5, { taskId: 't1', stopBlocks: 3 }),
      'Task t1 counts as failed: its worker was sent back to it 3 times but neither used a tool nor settled it. The worker may stop.',
    ],
    [reason(5, { state: 'draining' }), 'This worker is being drained: it takes no more tasks and may stop.'],
  ])('%s', (actual, expected) => {
    expect(actual).toBe(expected);
  });

  it('warns before a task is taken away', () => {
    expect(reason(5, { taskId: 't1', stopBlocks: 2 })).toContain('the task goes to another worker');
  });

  it('returns what is left of the window as numbers too', () => {
    const { context } = decideWorkerStop({ now: at(3), worker: registered, pendingTasks: [] });
    expect(context).toMatchObject({
      idleMs: 3 * MINUTE,
      idleLimitMs: 10 * MINUTE,
      remainingMs: 7 * MINUTE,
      pendingTasks: 0,
    });
    const held = decideWorkerStop({ now: at(3), worker: { ...registered, taskId: 't' }, pendingTasks: [] });
    expect(held.context.remainingMs).toBeNull();
  });
});
