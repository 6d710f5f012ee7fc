import { expect, it } from 'vitest';
import { fakeClock } from '../../../testing/fakeClock.ts';
import type { NewTask } from '../../newTask.ts';
import { planBatch } from '../../planBatch.ts';
import { openEngine } from '../openFile.ts';
import type { Tables } from '../tables.ts';
import { scanReady } from './ready.ts';

/** Looks into the index instead of at a watch: each look is one entry read. */
function looksOf(tasks: readonly NewTask[], types?: readonly string[]) {
  const engine = openEngine({ path: ':memory:', clock: fakeClock(1_000_000) });
  if ('type' in engine) throw new Error(engine.reason);
  engine.perform('addTasks', planBatch(tasks));
  let looks = 0;
  const counting: Tables = {
    ...engine.tables,
    now: engine.tables.now,
    get: (sql, ...values) => {
      looks += 1;
      return engine.tables.get(sql, ...values);
    },
  };
  const { due, nextDueAt } = scanReady(counting, 'default', types);
  engine.close();
  return { looks, priority: due?.priority, nextDueAt };
}

const many = (count: number, task: Partial<NewTask>): NewTask[] =>
  Array.from({ length: count }, () => ({ title: 'x', ...task }));

it('finds the first task with one look among thousands', () => {
  expect(looksOf(many(3_000, { priority: 1 }))).toEqual({ looks: 1, priority: 1, nextDueAt: null });
});

it('passes thousands of delayed tasks with one look a priority', () => {
  const tasks = [
    ...many(2_000, { priority: 1, delayMs: 5 }),
    ...many(2_000, { priority: 2, delayMs: 3 }),
    ...many(1, { priority: 3 }),
  ];
  expect(looksOf(tasks)).toEqual({ looks: 3, priority: 3, nextDueAt: 1_000_003 });
});

it('passes thousands of other types without a look', () => {
  const tasks = [...many(2_000, { type: 'other', priority: 1 }), ...many(1, { type: 'mine', priority: 7 })];
  expect(looksOf(tasks, ['mine', 'none'])).toEqual({ looks: 2, priority: 7, nextDueAt: null });
});

it('finds the first of all types with one look a type', () => {
  const tasks = [
    ...many(2_000, { type: 'a', priority: 5 }),
    ...many(2_000, { type: 'b', priority: 1, delayMs: 5 }),
    ...many(2_000, { type: 'c', priority: 3 }),
    ...many(1, { type: 'd', priority: 4 }),
  ];
  // and one more where the first of a type is not due
  expect(looksOf(tasks)).toEqual({ looks: 5, priority: 3, nextDueAt: 1_000_005 });
});

it('returns when the first will be due if none is', () => {
  expect(looksOf([...many(10, { delayMs: 70 }), ...many(1, { delayMs: 30, priority: 999 })])).toEqual({
    looks: 3,
    priority: undefined,
    nextDueAt: 1_000_030,
  });
});
