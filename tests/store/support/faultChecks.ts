import { expect } from 'vitest';
import type { Attempt, Store, Task } from '../../../src/store/types.ts';
import { available } from '../../../src/store/unavailable.ts';
import { replayEvents } from '../../../src/testing/storeContract/eventCases.ts';
import { type Duplicate, repliesOf } from './faultLedger.ts';
import type { FaultReport } from './faultRun.ts';

/** Holds what the workers were told against what the store has: FLEET's invariants I1 and I3 to I7. */
export async function assertNothingLost(store: Store, report: FaultReport, count: number): Promise<void> {
  expect(report.problems, 'found while it ran').toEqual([]);
  const { tasks } = available(await store.listTasks({ limit: 100_000 }));
  expect(
    tasks.filter(({ state }) => state !== 'done').map(({ id, state }) => `${id} ${state}`),
    'I7',
  ).toEqual([]);
  expect(tasks.length).toBe(count);
  assertAcknowledged(new Map(tasks.map((task) => [task.id, task])), report);
  assertDuplicates(report);
  const attempts = new Map<string, readonly Attempt[]>();
  for (const { id } of tasks) attempts.set(id, available(await store.attempts({ taskId: id })).attempts);
  for (const task of tasks) assertAttempts(task, attempts.get(task.id) ?? []);
  assertReplayed(tasks, [...attempts.values()].flat(), report);
  const { workers } = available(await store.workers());
  expect(
    workers.flatMap(({ attemptId }) => attemptId ?? []),
    'nobody holds anything',
  ).toEqual([]);
}

function assertAcknowledged(tasks: ReadonlyMap<string, Task>, { entries }: FaultReport): void {
  const lost: string[] = [];
  const acknowledged = new Map<string, string>();
  const twice: string[] = [];
  for (const { taskId, key, epoch, result } of repliesOf(entries, 'accepted')) {
    const task = tasks.get(taskId);
    if (task?.attemptId !== key || task.epoch !== epoch || task.result !== result) lost.push(`${key} ${result}`);
    if ((acknowledged.get(taskId) ?? key) !== key) twice.push(`${taskId} ${key} ${acknowledged.get(taskId)}`);
    acknowledged.set(taskId, key);
  }
  expect(lost, 'I3: acknowledged, then lost or replaced').toEqual([]);
  expect(twice, 'I4: accepted twice').toEqual([]);
  const said = new Set(entries.flatMap((entry) => (entry.event === 'complete' ? `${entry.key} ${entry.result}` : [])));
  const invented = [...tasks.values()].filter(({ attemptId, result }) => !said.has(`${attemptId} ${result}`));
  expect(invented, 'every result was sent by its attempt').toEqual([]);
}

/** I10: asked again, it is told the same. */
function assertDuplicates({ entries }: FaultReport): void {
  const duplicates = entries.filter((entry): entry is Duplicate => entry.event === 'duplicate');
  // what was refused may be refused with a newer epoch the second time
  const types = ({ first, again }: Duplicate) => [first, again].map((outcome) => (outcome as { type: string }).type);
  expect(duplicates.filter((one) => new Set(types(one)).size > 1)).toEqual([]);
}

function assertAttempts({ id, epoch, attemptId, result }: Task, attempts: readonly Attempt[]): void {
  expect(
    attempts.map((attempt) => attempt.epoch),
    `I5: ${id}`,
  ).toEqual(Array.from({ length: epoch }, (_, n) => n + 1));
  const succeeded = attempts.filter(({ state }) => state === 'succeeded');
  expect(
    succeeded.map((one) => [one.id, one.result]),
    `I4: ${id}`,
  ).toEqual([[attemptId, result]]);
  expect(attempts.filter(({ state }) => state === 'active' || state === 'offered')).toEqual([]);
}

/** I6: the events alone build the tables. */
function assertReplayed(tasks: readonly Task[], attempts: readonly Attempt[], { events }: FaultReport): void {
  const replayed = replayEvents(events);
  for (const task of tasks) expect(task, `I6: ${task.id}`).toMatchObject(replayed.tasks.get(task.id) ?? { id: 'none' });
  const wrong = attempts.filter(({ id, state }) => replayed.attempts.get(id)?.state !== state);
  expect(
    wrong.map(({ id, state }) => `${id} ${state} ${replayed.attempts.get(id)?.state}`),
    'I6',
  ).toEqual([]);
  expect(replayed.attempts.size).toBe(attempts.length);
}
