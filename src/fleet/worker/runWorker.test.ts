import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openSqliteStore } from '../../store/sqlite/sqliteStore.ts';
import type { Lease, Store } from '../../store/types.ts';
import { type FakeClock, fakeClock } from '../../testing/fakeClock.ts';
import { type AgentEnd, runWorker, type WorkerEnd, type WorkerRun } from './runWorker.ts';

const MINUTE = 60_000;
const GONE = 'The agent cannot be started: there is no claude on the PATH.';

let clock: FakeClock;
let store: Store;
let told: string[];
let drain: AbortController;

beforeEach(() => {
  clock = fakeClock(Date.UTC(2026, 10, 16, 12));
  const opened = openSqliteStore({ path: ':memory:', clock });
  if ('type' in opened) throw new Error(opened.reason);
  store = opened;
  told = [];
  drain = new AbortController();
});
afterEach(() => store.close());

const add = async (title: string) => {
  const added = await store.addTasks({ tasks: [{ title }] });
  return added.type === 'added' ? (added.tasks[0]?.id ?? '') : expect.unreachable(JSON.stringify(added));
};
const task = async (id: string) => {
  const found = await store.task({ id });
  return found.type === 'found' ? found.task : expect.unreachable(JSON.stringify(found));
};

/** A worker whose agents end at once, as `ends` says. */
function work(ends: () => AgentEnd, more: Partial<WorkerRun> = {}): Promise<WorkerEnd> {
  let claims = 0;
  return runWorker({
    store,
    clock,
    workerId: 'w',
    facts: { idleLimitMs: 10 * MINUTE, accountKey: 'a' },
    whyNoAgent: () => null,
    startAgent: async () => ({ ended: Promise.resolve(ends()), end: async () => {} }),
    settleLeft,
    keepLost: async () => {},
    isGone: () => false,
    activityAt: () => null,
    newClaimKey: () => `claim-${++claims}`,
    drain: drain.signal,
    drainMs: MINUTE,
    tell: (sentence) => told.push(sentence),
    ...more,
  });
}

async function settleLeft(lease: Lease, { ending }: AgentEnd): Promise<boolean> {
  if (ending === 'clean') return (await store.complete({ lease, result: 'done' })).type === 'accepted';
  await store.release({ lease, reason: 'released' });
  return false;
}

const done: AgentEnd = { ending: 'clean', why: 'it ended by itself' };
const notStarted: AgentEnd = { ending: 'launchFailed', why: GONE };

async function pass(ms: number): Promise<void> {
  for (let moved = 0; moved < ms; moved += 1_000) await clock.advance(1_000);
}

describe('a worker whose agent cannot be started', () => {
  it('takes no task, tries for half a minute, and ends so that a coordinator knows why', async () => {
    const id = await add('a task');
    const ended = work(() => done, { whyNoAgent: () => GONE });
    await pass(2 * MINUTE);
    expect(await ended).toMatchObject({ type: 'noAgent', reason: expect.stringContaining('5 times in a row') });
    expect(await task(id)).toMatchObject({ state: 'queued', epoch: 0, failures: 0, releases: 0 });
    expect(await store.workers({ workerId: 'w' })).toMatchObject({
      workers: [{ state: 'stopped', exitReason: 'launchFailed' }],
    });
    expect(told.filter((sentence) => sentence === GONE)).toHaveLength(5);
  });

  it('goes on when the program is back', async () => {
    const id = await add('a task');
    const backAt = clock.now() + 8_000;
    const ended = work(() => done, { whyNoAgent: () => (clock.now() < backAt ? GONE : null) });
    await pass(30_000);
    expect(await task(id)).toMatchObject({ state: 'done', epoch: 1 });
    await pass(11 * MINUTE);
    expect(await ended).toMatchObject({ type: 'letGo', ending: 'idle' });
  });

  it('although its program is there gives its task back without blame, and ends as well', async () => {
    const id = await add('a task');
    const ended = work(() => notStarted);
    await pass(2 * MINUTE);
    expect(await ended).toMatchObject({ type: 'noAgent', reason: expect.stringContaining('5 times in a row') });
    expect(await task(id)).toMatchObject({ state: 'queued', failures: 0, releases: 5 });
  });

  it('counts only what failed in a row', async () => {
    const ids = await Promise.all(['a', 'b', 'c'].map(add));
    let starts = 0;
    const ended = work(() => (++starts % 4 === 0 ? done : notStarted));
    await pass(10 * MINUTE);
    for (const id of ids) expect(await task(id)).toMatchObject({ state: 'done', failures: 0 });
    await pass(11 * MINUTE);
    expect(await ended).toMatchObject({ type: 'letGo', ending: 'idle' });
  });

  it('is drained like any other', async () => {
    const ended = work(() => done, { whyNoAgent: () => GONE });
    await pass(3_000);
    drain.abort();
    await pass(1_000);
    expect(await ended).toMatchObject({ type: 'letGo', ending: 'drained' });
  });
});
