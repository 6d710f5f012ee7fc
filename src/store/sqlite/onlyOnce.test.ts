import { describe, expect, it } from 'vitest';
import { fakeClock } from '../../testing/fakeClock.ts';
import type { EngineOperation } from '../operationsOver.ts';
import type { Claimed } from '../outcomes.ts';
import { planBatch } from '../planBatch.ts';
import { openEngine } from './openFile.ts';

const DAY = 24 * 3_600_000;

function openMemory() {
  const clock = fakeClock(1_000);
  const engine = openEngine({ path: ':memory:', clock });
  if ('type' in engine) throw new Error(engine.reason);
  const lastEvent = () => engine.tables.get<{ seq: number }>('SELECT max(seq) AS seq FROM events')?.seq;
  return { engine, clock, lastEvent };
}

/** A worker `w` with a task. */
function working() {
  const opened = openMemory();
  const { engine } = opened;
  engine.perform('addTasks', planBatch([{ title: 'one', timeBudgetMs: 60_000 }]));
  engine.perform('registerWorker', { workerId: 'w' });
  const { lease, task } = engine.perform('claim', { workerId: 'w', incarnation: 1, claimKey: 'c' }) as Claimed;
  return { ...opened, lease, taskId: task.id };
}

type Working = ReturnType<typeof working>;

const CALLS: readonly (readonly [EngineOperation, (at: Working) => object])[] = [
  ['registerWorker', () => ({ workerId: 'new' })],
  ['launch', () => ({ slot: 'slot', deadlineMs: 60_000 })],
  ['updateWorker', () => ({ workerId: 'w', incarnation: 1, stopBlock: { reason: 'held' } })],
  ['extend', ({ lease }) => ({ lease, byMs: 30_000 })],
  ['reap', () => ({ workerId: 'w', incarnation: 1, evidence: 'lapsed', staleAfterMs: -1, graceMs: 0 })],
  ['cancel', ({ taskId }) => ({ taskId })],
  ['pauseAccount', () => ({ key: 'claude', until: { ms: 1_000 }, source: 'x' })],
  ['lead', () => ({ name: 'fleet', holder: 'h', ttlMs: 1_000 })],
];

describe('a request that arrives twice', () => {
  it.each(CALLS)('%s has one effect and one answer', (operation, requestFor) => {
    const at = working();
    const request = requestFor(at);
    const before = at.lastEvent();
    const first = at.engine.perform(operation, request, 'key');
    const after = at.lastEvent();
    const [second] = at.engine.performTogether([{ operation, request, key: 'key' }]);
    expect(second).toEqual(first);
    expect(at.lastEvent()).toBe(after);
    expect(after, 'the first has an effect').not.toBe(before);
  });

  it('does not undo what happened between the two', () => {
    const { engine } = openMemory();
    engine.perform('pauseQueue', { queue: 'q', reason: 'x' }, 'first');
    engine.perform('resumeQueue', { queue: 'q' }, 'second');
    engine.perform('pauseQueue', { queue: 'q', reason: 'x' }, 'first');
    expect(engine.perform('readiness', { queue: 'q' })).toMatchObject({ queuePaused: false });
  });

  it('leaves no answers of other days', async () => {
    const { engine, clock } = openMemory();
    engine.perform('pauseQueue', { queue: 'q' }, 'first');
    await clock.advance(DAY + 1);
    engine.perform('pauseQueue', { queue: 'q' }, 'second');
    expect(engine.tables.all('SELECT key FROM answers')).toEqual([{ key: 'second' }]);
  });
});
