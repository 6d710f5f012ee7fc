import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { applyPrune, planPrune } from '../../src/store/pruneStore.ts';
import type { Store } from '../../src/store/types.ts';
import { available } from '../../src/store/unavailable.ts';
import { claim, newKey, worker } from '../../src/testing/storeContract/steps.ts';
import { sizeOf } from '../support/testSize.ts';
import { type Command, commandArbitrary, learn, newWorld, runCommand } from './support/randomCommands.ts';
import { testFiles } from './support/sqliteStores.ts';

const START = Date.UTC(2026, 0, 1);
const APPLYING = { actor: 'test', isPolicy: false } as const;

/** Everything that an unfinished task shows; what it waited for and has is not needed any more. */
async function unfinished(store: Store): Promise<object> {
  const statuses = ['ready', 'delayed', 'blocked', 'held', 'claimed', 'verifying', 'dead'] as const;
  const { tasks } = available(await store.listTasks({ statuses: [...statuses], limit: 1_000 }));
  const details = await Promise.all(tasks.map(({ id }) => store.task({ id })));
  const attempts = await Promise.all(tasks.map(({ id }) => store.attempts({ taskId: id })));
  const events = await Promise.all(
    tasks.map(async ({ id }) =>
      available(await store.events({ taskId: id })).events.map(({ cursor: _, ...event }) => event),
    ),
  );
  const { done: _done, cancelled: _cancelled, ...counts } = available(await store.counts({}));
  return { details, attempts, events, counts, workers: await store.workers(), ready: await store.readiness({}) };
}

describe('after a prune', () => {
  it('unfinished tasks are as they were, and go on in the same way', { timeout: 120_000 }, async () => {
    let removed = 0;
    await fc.assert(
      fc.asyncProperty(fc.array(commandArbitrary, { minLength: 60, maxLength: 90, size: 'max' }), async (commands) => {
        await using files = await testFiles('memory', START);
        const [pruned, whole] = [await files.open('a', () => 0.25), await files.open('b', () => 0.25)];
        const world = newWorld();
        const both = async (command: Command) => {
          const before = world.keys;
          const expected = await runCommand(whole, world, command);
          world.keys = before;
          const actual = await runCommand(pruned, world, command);
          learn(world, command, expected);
          return [actual, expected] as const;
        };
        const [first, second] = [commands.slice(0, -25), commands.slice(-25)];
        for (const name of ['registerWorker', 'addTasks', 'addTasks'] as const)
          await both({ name, a: 1, b: 1, flag: false });
        for (const command of first) await both(command);
        const wish = { olderThanMs: 0 };
        const before = await unfinished(pruned);
        const plan = available(await planPrune(pruned, wish));
        const outcome = available(await applyPrune(pruned, plan, APPLYING));
        // a dry run is the plan of a real one
        expect([...outcome.ids]).toEqual(plan.tasks.map(({ id }) => id));
        expect([outcome.attempts, outcome.events]).toEqual([plan.attempts, plan.events]);
        removed += outcome.ids.size;
        expect(await unfinished(pruned)).toEqual(before);
        for (const command of second.filter(({ name }) => GOES_ON.has(name))) {
          const [actual, expected] = await both(command);
          const touched = JSON.stringify(expected);
          if (![...outcome.ids].some((id) => touched.includes(`"${id}"`)) && !namesGone(command)) {
            expect(actual, JSON.stringify(command)).toEqual(expected);
          }
        }
      }),
      { numRuns: sizeOf({ small: 60, full: 100 }), seed: 5, unbiased: true },
    );
    expect(removed).toBeGreaterThan(20);
  });
});

/** What workers do with tasks that have not ended. */
const GOES_ON = new Set<string>(['claim', 'registerWorker', 'reap', 'readiness', 'takeVerification', 'limits']);
/** A claim of one task may name one that is gone. */
const namesGone = ({ name, b }: Command) => name === 'reap' || (name === 'claim' && b === 4);

const DONE = sizeOf({ small: 20_000, full: 100_000 });

describe(`with ${DONE} tasks that are done`, () => {
  it('claims go on between small transactions, and nothing else is removed', { timeout: 120_000 }, async () => {
    await using files = await testFiles('file', START);
    const store = await files.open('store.db');
    const total = DONE;
    fillDone(path.join(files.folder, 'store.db'), total);
    const by = await worker(store);
    await store.addTasks({ tasks: Array.from({ length: 500 }, (_, n) => ({ title: `open ${n}` })) });
    await files.clock.advance(86_400_000);
    const plan = available(await planPrune(store, { olderThanMs: 3_600_000 }));
    expect(plan.tasks).toHaveLength(total);
    let claims = 0;
    let isOver = false;
    const other = await files.open('store.db');
    const claiming = (async () => {
      while (!isOver && claims < 500) {
        const { lease } = await claim(other, by, { claimKey: newKey() });
        await other.complete({ lease, result: 'x' });
        claims += 1;
        await new Promise((resolve) => setImmediate(resolve));
      }
    })();
    const outcome = available(await applyPrune(store, plan, APPLYING));
    isOver = true;
    await claiming;
    expect(outcome.ids.size).toBe(total);
    expect(claims).toBeGreaterThan(DONE / 1_000);
    expect(available(await store.counts({}))).toMatchObject({ done: claims, ready: 500 - claims, claimed: 0 });
  });
});

/** Straight into the tables: to complete as many would take minutes. */
function fillDone(file: string, total: number): void {
  using database = new DatabaseSync(file);
  database.exec(`INSERT INTO tasks (seq, id, queue, type, priority, state, run_at, unmet, epoch, max_failures, max_reclaims,
      max_releases, backoff_ms, created_at, updated_at, title)
    WITH RECURSIVE n (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM n WHERE n < ${total})
    SELECT n, 'done-' || n, 'default', 'task', 100, 'done', 0, 0, 1, 3, 3, 20, 0, ${START}, ${START}, 'x' FROM n;
    INSERT INTO attempts (place, task_seq, epoch, id, worker_id, incarnation, state, claimed_at)
      SELECT seq << 24 | 1, seq, 1, 'attempt-' || seq, 'w', 1, 'succeeded', ${START} FROM tasks;
    INSERT INTO events (at, kind, task_seq, data) SELECT ${START}, 'task.completed', seq, '{}' FROM tasks`);
}
