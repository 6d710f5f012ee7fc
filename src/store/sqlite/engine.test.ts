import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, it } from 'vitest';
import { fakeClock } from '../../testing/fakeClock.ts';
import { type TempFolder, tempFolder } from '../../testing/tempFolder.ts';
import type { Claimed } from '../outcomes.ts';
import { planBatch } from '../planBatch.ts';
import type { Engine } from './engine.ts';
import { openEngine } from './openFile.ts';
import { retryBusy } from './retryBusy.ts';

function engineIn(folder: TempFolder): Engine & Disposable {
  const engine = openEngine({ path: path.join(folder.path, 'x.db'), clock: fakeClock(1_000) });
  if ('type' in engine) throw new Error(engine.reason);
  return { ...engine, [Symbol.dispose]: engine.close };
}

const batch = (count: number, body = '') =>
  planBatch(Array.from({ length: count }, (_, n) => ({ title: `task ${n}`, body })));

describe('engine', () => {
  it('reports a full disk, and changes nothing', async () => {
    await using folder = await tempFolder();
    using engine = engineIn(folder);
    engine.perform('addTasks', batch(3));
    engine.tables.get('PRAGMA max_page_count = 60');
    expect(engine.perform('addTasks', batch(1_000, 'x'.repeat(500)))).toMatchObject({
      type: 'unavailable',
      cause: 'diskFull',
      reason: `The store ${engine.path} cannot grow because the disk is full; free some space.`,
    });
    expect(engine.perform('counts', {})).toMatchObject({ ready: 3 });
    expect(engine.performTogether([{ operation: 'counts', request: {} }])).toMatchObject([{ ready: 3 }]);
  });

  it('fails all requests of a group when the disk is full, and reports it to each', async () => {
    await using folder = await tempFolder();
    using engine = engineIn(folder);
    engine.tables.get('PRAGMA max_page_count = 60');
    const outcomes = engine.performTogether([
      { operation: 'addTasks', request: batch(2) },
      { operation: 'addTasks', request: batch(1_000, 'x'.repeat(500)) },
      { operation: 'addTasks', request: batch(2) },
    ]);
    const kept = outcomes.filter((outcome) => 'type' in outcome && outcome.type === 'added').length;
    expect(engine.perform('counts', {})).toMatchObject({ ready: kept * 2 });
    expect(outcomes[1]).toMatchObject({ cause: 'diskFull' });
  });

  it('is busy while another process holds the write lock, and waits for it in short turns', async () => {
    await using folder = await tempFolder();
    using engine = engineIn(folder);
    using other = new DatabaseSync(engine.path);
    other.exec('BEGIN IMMEDIATE');
    expect(engine.perform('lead', { name: 'x', holder: 'a', ttlMs: 1 })).toMatchObject({ cause: 'busy' });
    expect(engine.perform('counts', {})).toMatchObject({ type: 'counts' });
    let tries = 0;
    const outcome = await retryBusy(() => {
      tries += 1;
      if (tries === 3) other.exec('ROLLBACK');
      return engine.perform('lead', { name: 'x', holder: 'a', ttlMs: 1 });
    });
    expect(outcome).toMatchObject({ type: 'leading' });
    expect(tries).toBe(3);
  });

  it('holds the write lock from the first thing it reads on', async () => {
    await using folder = await tempFolder();
    using other = engineIn(folder);
    let meanwhile: object | undefined;
    // chance is drawn between what a failure reads and what it writes
    const random = () => {
      meanwhile = other.perform('lead', { name: 'x', holder: 'other', ttlMs: 1 });
      return 0.5;
    };
    const options = { path: other.path, clock: fakeClock(1_000), random };
    using disposing = new DisposableStack();
    const engine = disposing.adopt(openEngine(options) as Engine, ({ close }) => close());
    engine.perform('addTasks', batch(1));
    engine.perform('registerWorker', { workerId: 'w' });
    const claimed = engine.perform('claim', { workerId: 'w', incarnation: 1, claimKey: 'k' }) as Claimed;
    expect(engine.perform('fail', { lease: claimed.lease, error: 'x' })).toMatchObject({ type: 'requeued' });
    expect(meanwhile).toMatchObject({ type: 'unavailable', cause: 'busy' });
  });

  it('keeps events as they were written', async () => {
    await using folder = await tempFolder();
    using engine = engineIn(folder);
    engine.perform('addTasks', batch(1));
    expect(() => engine.database.exec(`UPDATE events SET kind = 'x'`)).toThrow('events are append-only');
    expect(() => engine.database.exec('DELETE FROM events')).toThrow('events are append-only');
  });

  it('has the pragmas that durability and several processes need', async () => {
    await using folder = await tempFolder();
    using engine = engineIn(folder);
    const pragma = (name: string) => Object.values(engine.tables.get<object>(`PRAGMA ${name}`) ?? {})[0];
    expect(pragma('journal_mode')).toBe('wal');
    expect(pragma('synchronous')).toBe(2);
    expect(pragma('mmap_size') ?? 0).toBe(0);
  });

  it('throws what is a bug', async () => {
    await using folder = await tempFolder();
    using engine = engineIn(folder);
    expect(() => engine.perform('noSuchOperation' as 'claim', {})).toThrow('Unknown operation noSuchOperation');
    expect(engine.database.isTransaction).toBe(false);
  });
});
