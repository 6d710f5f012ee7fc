import { describe, expect, it } from 'vitest';
import { newTaskId, planBatch } from './planBatch.ts';
import type { NewTask } from './types.ts';

const plan = (...tasks: NewTask[]) => {
  let ids = 0;
  return planBatch(tasks, () => `new-${ids++}`);
};

describe('planBatch', () => {
  it('finds others of the batch by key and by position, before and after', () => {
    const planned = plan(
      { title: 'a', dependsOn: [{ key: 'c' }] },
      { title: 'b', id: 'own-id', dependsOn: [{ position: 2 }, 'outside', 'outside'] },
      { title: 'c', key: 'c' },
    );
    expect(planned).toMatchObject({
      type: 'planned',
      tasks: [
        { id: 'new-0', dependsOn: ['new-1'] },
        { id: 'own-id', dependsOn: ['new-1', 'outside'] },
        { id: 'new-1', dependsOn: [] },
      ],
    });
  });

  it('takes a dedupe key that came before for the same task', () => {
    expect(plan({ title: 'a', dedupeKey: 'k', key: 'a' }, { title: 'b', dedupeKey: 'k' })).toMatchObject({
      tasks: [{ id: 'new-0' }, { id: 'new-0' }],
    });
  });

  it('sees a circle that only a shared dedupe key closes', () => {
    const circle = plan(
      { title: 'a', key: 'a', dedupeKey: 'k', dependsOn: [{ key: 'b' }] },
      { title: 'b', key: 'b', dependsOn: [{ key: 'same as a' }] },
      { title: 'c', key: 'same as a', dedupeKey: 'k' },
    );
    expect(circle).toMatchObject({ type: 'refused', problem: 'cycle', position: 0 });
  });

  it('sees a circle at the end of a chain of ten thousand', () => {
    const chain = Array.from({ length: 10_000 }, (_, n) => ({
      title: 't',
      dependsOn: [{ position: (n + 1) % 10_000 }],
    }));
    expect(plan(...chain)).toMatchObject({ type: 'refused', problem: 'cycle' });
    expect(plan(...chain.slice(0, -1), { title: 'last', dependsOn: [] })).toMatchObject({ type: 'planned' });
  });

  it.each<[string, NewTask]>([
    ['needs a title', { title: ' \n' }],
    ['priority must be a whole number', { title: 'x', priority: 1.5 }],
    ['priority must fit into 32 bits', { title: 'x', priority: 2 ** 31 }],
    ['delayMs must be a whole number', { title: 'x', delayMs: Number.NaN }],
    ['maxFailures must be a whole number from 1', { title: 'x', maxFailures: 0 }],
    ['body must not contain the character NUL', { title: 'x', body: 'a\0b' }],
    ['queue must not be empty', { title: 'x', queue: '' }],
    ['type must not be empty', { title: 'x', type: ' ' }],
    ['dedupeKey must not be empty', { title: 'x', dedupeKey: '' }],
    ['concurrencyKey must not be empty', { title: 'x', concurrencyKey: '' }],
    ['id must be 4 to 64', { title: 'x', id: 'a b c d' }],
    ['id must be 4 to 64', { title: 'x', id: 'abc' }],
    ['delayMs must be at most', { title: 'x', delayMs: Number.MAX_SAFE_INTEGER }],
    ['timeBudgetMs must be at most', { title: 'x', timeBudgetMs: Number.MAX_SAFE_INTEGER }],
    ['backoffMs must be at most', { title: 'x', backoffMs: -1e15 }],
    ['runAt must be a time', { title: 'x', runAt: Number.MAX_SAFE_INTEGER }],
    ['costBudgetUsd must be a number', { title: 'x', costBudgetUsd: Number.NaN }],
    ['tokenBudget must be a number, and not below 0', { title: 'x', tokenBudget: -1 }],
    ['dedupeKey must not be empty', { title: 'x', dedupeKey: '' }],
    ['queue must not be empty', { title: 'x', queue: ' ' }],
    ['type must not be empty', { title: 'x', type: '' }],
  ])('refuses a task whose %s', (reason, task) => {
    const outcome = plan({ title: 'fine' }, task);
    expect(outcome).toMatchObject({ type: 'refused', problem: 'invalid', position: 1 });
    expect(outcome.type === 'refused' && outcome.reason).toContain(reason);
  });
});

it('gives ids that differ from their first characters on', () => {
  const ids = Array.from({ length: 1_000 }, () => newTaskId());
  for (const id of ids) expect(id).toMatch(/^[0-9a-hjkmnp-tv-z]{16}$/);
  expect(new Set(ids).size).toBe(1_000);
  expect(new Set(ids.map((id) => id.slice(0, 6))).size).toBeGreaterThan(990);
});
