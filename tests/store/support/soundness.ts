import { expect } from 'vitest';
import type { Attempt, Store, Task } from '../../../src/store/types.ts';
import { available } from '../../../src/store/unavailable.ts';
import { assertReplays } from '../../../src/testing/storeContract/eventCases.ts';

/** FLEET's invariants as far as a store alone can break them; holds after any sequence of operations. */
export async function assertSound(store: Store): Promise<void> {
  const { tasks } = available(await store.listTasks({ limit: 100_000 }));
  const { workers } = available(await store.workers());
  for (const task of tasks) {
    const { attempts } = available(await store.attempts({ taskId: task.id }));
    assertAttempts(task, attempts, await redrivenAt(store, task.id));
    const live = attempts.find(isLive);
    if (live) expect(workers.find(({ id }) => id === live.workerId)?.attemptId, 'its worker holds it').toBe(live.id);
  }
  for (const { id, attemptId, state } of workers) {
    if (attemptId === null) continue;
    expect(['live', 'draining'], `worker ${id} is ${state} and holds ${attemptId}`).toContain(state);
  }
  const held = workers.flatMap(({ taskId }) => taskId ?? []);
  expect(new Set(held).size, 'one worker a task').toBe(held.length);
  await assertReplays(store);
}

const isLive = ({ state }: Attempt) => state === 'active' || state === 'offered';

/** The epoch that a task had when it was brought back last; one that was cancelled in its verification had a result then. */
async function redrivenAt(store: Store, taskId: string): Promise<number> {
  const { events } = available(await store.events({ taskId, limit: 100_000 }));
  const last = events.findLastIndex(({ kind }) => kind === 'task.redriven' || kind === 'task.reopened');
  return Math.max(0, ...events.slice(0, last + 1).map(({ epoch }) => epoch ?? 0));
}

function assertAttempts(task: Task, attempts: readonly Attempt[], redrivenAt: number): void {
  const { id, state, epoch } = task;
  const epochs = attempts.map((attempt) => attempt.epoch);
  expect(epochs, `I5: epochs of ${id} count up`).toEqual(epochs.map((_, index) => index + 1));
  expect(epochs.length).toBe(epoch);
  const live = attempts.filter(isLive);
  expect(live.length, `I1, I7: ${id} is ${state}`).toBe(state === 'claimed' ? 1 : 0);
  if (live[0]) expect(live[0].epoch).toBe(epoch);
  const succeeded = attempts.filter((attempt) => attempt.state === 'succeeded' && attempt.epoch > redrivenAt);
  if (state === 'done' || state === 'verifying') {
    expect(succeeded.length, `I4: one accepted result of ${id}`).toBe(1);
    expect(succeeded[0]).toMatchObject({ id: task.attemptId, result: task.result });
  } else if (state !== 'cancelled') expect(succeeded.length, `I4: ${id} is ${state}`).toBe(0);
  const { failures, maxFailures, reclaims, maxReclaims, releases, maxReleases } = task;
  if (state === 'queued') {
    expect(failures < maxFailures && reclaims < maxReclaims && releases < maxReleases, `I8: ${id} goes on`).toBe(true);
  }
}
