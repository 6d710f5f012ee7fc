import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openStore } from '../../store/openStore.ts';
import type { Lease, Store } from '../../store/types.ts';
import { type FakeClock, fakeClock } from '../../testing/fakeClock.ts';
import { type AgentEnd, runWorker, type WorkerEnd, type WorkerRun } from './runWorker.ts';

const MINUTE = 60_000;
const GONE = 'The agent cannot be started: there is no claude on the PATH.';

let clock: FakeClock;
let store: Store;
let reported: string[];
let drain: AbortController;

beforeEach(async () => {
  clock = fakeClock(Date.UTC(2026, 10, 16, 12));
  const opened = await openStore(':memory:', { clock });
  if ('type' in opened) throw new Error(opened.reason);
  store = opened;
  reported = [];
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

/** A worker whose agents end immediately, as listed in `ends`. */
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
    activity: () => null,
    leaveFolder: async () => {},
    treeState: async () => null,
    newClaimKey: () => `claim-${++claims}`,
    drain: drain.signal,
    drainMs: MINUTE,
    noteRest: () => {},
    kept: { of: async () => null, isEmpty: async () => true, deliver: async () => null },
    fencesItself: () => false,
    report: (sentence) => reported.push(sentence),
    ...more,
  });
}

async function settleLeft(lease: Lease, { ending }: AgentEnd): Promise<boolean> {
  if (ending === 'clean') return (await store.complete({ lease, result: 'done' })).type === 'accepted';
  await store.release({ lease, reason: 'unserved' });
  return false;
}

const done: AgentEnd = { ending: 'clean', why: 'it ended by itself' };
const notStarted: AgentEnd = { ending: 'launchFailed', why: GONE };

async function pass(ms: number): Promise<void> {
  for (let moved = 0; moved < ms; moved += 1_000) await clock.advance(1_000);
}

describe('a worker that is drained while its agent works', () => {
  const drainedWith = async (finishes: boolean) => {
    await add('a task');
    const { promise, resolve } = Promise.withResolvers<AgentEnd>();
    const ends: AgentEnd[] = [];
    const ended = work(() => done, {
      startAgent: async () => ({ ended: promise, end: async () => resolve(done) }),
      settleLeft: async (lease, end) => {
        ends.push(end);
        return settleLeft(lease, end);
      },
    });
    await pass(2_000);
    drain.abort();
    await pass(5_000);
    if (finishes) resolve(done);
    await pass(2 * MINUTE);
    await ended;
    return ends;
  };

  it('knows that an agent finished within the window by itself', async () => {
    expect(await drainedWith(true)).toMatchObject([{ ending: 'drained', hasFinished: true }]);
  });

  it('knows it of one whose process was gone before it was ended', async () => {
    await add('a task');
    const { promise, resolve } = Promise.withResolvers<AgentEnd>();
    const ends: AgentEnd[] = [];
    const ended = work(() => done, {
      startAgent: async () => ({ ended: promise, end: async () => resolve({ ...done, hasFinished: true }) }),
      settleLeft: async (lease, end) => {
        ends.push(end);
        return settleLeft(lease, end);
      },
    });
    await pass(2_000);
    drain.abort();
    await pass(2 * MINUTE);
    await ended;
    expect(ends).toMatchObject([{ ending: 'drained', hasFinished: true }]);
  });

  it('does not take one for finished that it had to end, whatever its exit code is', async () => {
    expect(await drainedWith(false)).toMatchObject([{ ending: 'drained', hasFinished: false }]);
  });
});

describe('a worker whose agent finished while the store does not answer', () => {
  it('settles before its lease ends, though requests hang', async () => {
    await add('a task');
    const { promise, resolve } = Promise.withResolvers<AgentEnd>();
    const settledAt: number[] = [];
    let isCut = false;
    const hang = () => new Promise<never>(() => {});
    const cut: Store = {
      ...store,
      heartbeat: (request) => (isCut ? hang() : store.heartbeat(request)),
      workers: (request) => (isCut ? hang() : store.workers(request)),
    };
    void work(() => done, {
      store: cut,
      startAgent: async () => ({ ended: promise, end: async () => {} }),
      settleLeft: async () => {
        settledAt.push(clock.now());
        return true;
      },
    });
    await pass(MINUTE);
    isCut = true;
    // a heartbeat hangs now
    await pass(20_000);
    const finishedAt = clock.now();
    resolve(done);
    await pass(MINUTE);
    expect(settledAt).toHaveLength(1);
    expect((settledAt[0] ?? 0) - finishedAt).toBeLessThanOrEqual(16_000);
  });

  it('settles the task that it was handed last, and not its first one', async () => {
    await add('first');
    const { promise, resolve } = Promise.withResolvers<AgentEnd>();
    const settled: Lease[] = [];
    let isCut = false;
    const hang = () => new Promise<never>(() => {});
    const cut: Store = {
      ...store,
      heartbeat: (request) => (isCut ? hang() : store.heartbeat(request)),
      workers: (request) => (isCut ? hang() : store.workers(request)),
    };
    let next: Lease | null = null;
    void work(() => done, {
      store: cut,
      startAgent: async ({ lease, incarnation }) => {
        await store.complete({ lease, result: 'done' });
        await add('second');
        const claimed = await store.claim({ workerId: 'w', incarnation, claimKey: 'of its hook' });
        if (claimed.type === 'claimed') next = claimed.lease;
        return { ended: promise, end: async () => {} };
      },
      settleLeft: async (lease) => settled.push(lease) > 0,
    });
    await pass(MINUTE);
    isCut = true;
    await pass(20_000);
    resolve(done);
    await pass(MINUTE);
    expect(next).not.toBeNull();
    expect(settled).toEqual([next]);
  });
});

describe('a worker that is cut off between its claim and the start of its agent', () => {
  it('starts none when the answer that it holds the task is older than its lease', async () => {
    const id = await add('a task');
    let started = 0;
    let asked = 0;
    const cut: Store = {
      ...store,
      heartbeat: async (request) => {
        const answer = await store.heartbeat(request);
        // the answer was sent, and arrives when the network is back
        if (request.lease && ++asked === 1) await clock.sleep(4 * MINUTE);
        return answer;
      },
    };
    void work(() => done, {
      store: cut,
      fencesItself: () => true,
      startAgent: async () => {
        started++;
        return { ended: Promise.resolve(done), end: async () => {} };
      },
    });
    await pass(3 * MINUTE);
    await store.reap({ workerId: 'w', incarnation: 1, evidence: 'exited', staleAfterMs: 0, graceMs: 0 });
    expect((await task(id)).state).toBe('queued');
    expect(asked).toBe(1);
    drain.abort();
    await pass(2 * MINUTE);
    expect(started).toBe(0);
  });
});

describe('a worker whose task is settled between two requests of its own', () => {
  /** Each heartbeat for a task arrives right after its agent, or a person, has settled it. */
  const overtaken = (): Store => ({
    ...store,
    heartbeat: async (request) => {
      if (request.lease) await store.complete({ lease: request.lease, result: 'by its agent' });
      return store.heartbeat(request);
    },
  });

  it('is not superseded by its own agent', async () => {
    const id = await add('a task');
    const { promise, resolve } = Promise.withResolvers<AgentEnd>();
    let wasEnded = false;
    const end = async () => {
      wasEnded = true;
      resolve(done);
    };
    const ended = work(() => done, { store: overtaken(), startAgent: async () => ({ ended: promise, end }) });
    await pass(MINUTE);
    expect([wasEnded, await task(id)]).toMatchObject([false, { state: 'done' }]);
    resolve(done);
    await pass(12 * MINUTE);
    expect(await ended).toMatchObject({ type: 'stopped', ending: 'idle' });
  });

  it('starts no agent for it, and stays a worker', async () => {
    await add('a task');
    let starts = 0;
    const startAgent = async () => {
      starts++;
      return { ended: Promise.resolve(done), end: async () => {} };
    };
    const ended = work(() => done, { store: overtaken(), startAgent, fencesItself: () => true });
    await pass(12 * MINUTE);
    expect([starts, await ended]).toMatchObject([0, { type: 'stopped', ending: 'idle' }]);
  });

  it('ends its agent when another process has taken the task', async () => {
    await add('a task');
    const { promise, resolve } = Promise.withResolvers<AgentEnd>();
    const end = async () => resolve(done);
    const ended = work(() => done, { startAgent: async () => ({ ended: promise, end }), incarnation: undefined });
    await pass(20_000);
    await store.reap({ workerId: 'w', incarnation: 1, evidence: 'exited', staleAfterMs: 0, graceMs: 0 });
    await store.registerWorker({ workerId: 'w' });
    await pass(MINUTE);
    expect(await ended).toMatchObject({ type: 'superseded' });
  });
});

describe('a worker whose heartbeats fail by a bug', () => {
  it('ends its agent and itself with the error, not its whole process', async () => {
    await add('a task');
    const { promise, resolve } = Promise.withResolvers<AgentEnd>();
    let isBroken = false;
    const broken: Store = {
      ...store,
      heartbeat: (request) => (isBroken ? Promise.reject(new Error('a bug')) : store.heartbeat(request)),
    };
    const orders: string[] = [];
    const end = async (why: string) => {
      orders.push(why);
      resolve({ ending: 'crashed', why });
    };
    const ended = work(() => done, { store: broken, startAgent: async () => ({ ended: promise, end }) });
    const failed = ended.catch((error: Error) => error.message);
    await pass(20_000);
    isBroken = true;
    await pass(20_000);
    expect([await failed, orders]).toEqual(['a bug', ['its heartbeats failed']]);
  });
});

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
    expect(reported.filter((sentence) => sentence === GONE)).toHaveLength(5);
  });

  it('goes on when the program is back', async () => {
    const id = await add('a task');
    const backAt = clock.now() + 8_000;
    const ended = work(() => done, { whyNoAgent: () => (clock.now() < backAt ? GONE : null) });
    await pass(30_000);
    expect(await task(id)).toMatchObject({ state: 'done', epoch: 1 });
    await pass(11 * MINUTE);
    expect(await ended).toMatchObject({ type: 'stopped', ending: 'idle' });
  });

  it('although its program is there gives its task back without blame, and ends as well', async () => {
    const id = await add('a task');
    const ended = work(() => notStarted);
    await pass(2 * MINUTE);
    expect(await ended).toMatchObject({ type: 'noAgent', reason: expect.stringContaining('5 times in a row') });
    expect(await task(id)).toMatchObject({ state: 'queued', failures: 0, releases: 0, epoch: 5 });
  });

  it('counts only what failed in a row', async () => {
    const ids = await Promise.all(['a', 'b', 'c'].map(add));
    let starts = 0;
    const ended = work(() => (++starts % 4 === 0 ? done : notStarted));
    await pass(10 * MINUTE);
    for (const id of ids) expect(await task(id)).toMatchObject({ state: 'done', failures: 0 });
    await pass(11 * MINUTE);
    expect(await ended).toMatchObject({ type: 'stopped', ending: 'idle' });
  });

  it('is drained like any other', async () => {
    const ended = work(() => done, { whyNoAgent: () => GONE });
    await pass(3_000);
    drain.abort();
    await pass(1_000);
    expect(await ended).toMatchObject({ type: 'stopped', ending: 'drained' });
  });
});

describe('a worker whose agent keeps crashing', () => {
  it('rests, sends heartbeats meanwhile, and shows why and until when', async () => {
    await Promise.all(Array.from({ length: 8 }, (_unused, n) => add(`task ${n}`)));
    const rests: unknown[] = [];
    const crashed: AgentEnd = { ending: 'crashed', why: 'it exited with code 1' };
    const noteRest = (_incarnation: number, rest: unknown) => void rests.push(rest);
    const ended = work(() => crashed, { noteRest });
    await pass(6 * MINUTE);
    const restsAt = clock.now();
    expect(rests.at(-1)).toMatchObject({ why: 'crashLoop' });
    await pass(4 * MINUTE);
    const listed = await store.workers({ workerId: 'w' });
    const [worker] = listed.type === 'workers' ? listed.workers : [];
    expect(clock.now() - (worker?.heartbeatAt ?? 0)).toBeLessThan(20_000);
    expect((rests.at(-1) as { untilAt: number }).untilAt).toBeGreaterThan(restsAt);
    expect(reported.some((sentence) => /^waiting \S+ before the next start \(crashLoop\)$/.test(sentence))).toBe(true);
    drain.abort();
    await pass(1_000);
    expect(await ended).toMatchObject({ type: 'stopped', ending: 'drained' });
    expect(rests.at(-1)).toBeNull();
  });
});

describe('a worker whose agent makes no progress', () => {
  /** An agent that only ends when it is ended. */
  function hanging() {
    const { promise: ended, resolve } = Promise.withResolvers<AgentEnd>();
    const reasons: string[] = [];
    const end = async (why: string) => {
      reasons.push(why);
      resolve({ ending: 'crashed', why: 'it was killed' });
    };
    return { agent: { ended, end }, reasons };
  }

  const worker = async () => {
    const listed = await store.workers({ workerId: 'w' });
    return listed.type === 'workers' ? listed.workers[0] : expect.unreachable(JSON.stringify(listed));
  };

  it('ends the agent after half an hour without activity, warns before, and releases the task', async () => {
    const id = await add('a task');
    const { agent, reasons } = hanging();
    const begunAt = clock.now();
    const ended = work(() => done, {
      startAgent: async () => agent,
      activity: () => ({ at: begunAt, isBusy: false }),
    });
    await pass(29 * MINUTE);
    expect(reasons).toEqual([]);
    expect(reported).toEqual(['the agent has made no progress for 15m; it will be ended after 30m']);
    await pass(2 * MINUTE);
    expect(reasons).toEqual(['it made no progress for 30m']);
    drain.abort();
    await pass(2 * MINUTE);
    expect(await ended).toMatchObject({ type: 'stopped', ending: 'drained' });
    expect(await task(id)).toMatchObject({ state: 'queued' });
  });

  it('lets a tool run for an hour, and reports it to the store', async () => {
    await add('a task');
    const { agent, reasons } = hanging();
    let activity = { at: clock.now(), isBusy: true };
    void work(() => done, { startAgent: async () => agent, activity: () => activity });
    await pass(59 * MINUTE);
    expect(reasons).toEqual([]);
    expect(await worker()).toMatchObject({ toolStartedAt: expect.any(Number) });
    activity = { at: clock.now(), isBusy: false };
    await pass(29 * MINUTE);
    expect(reasons).toEqual([]);
    expect(await worker()).toMatchObject({ toolStartedAt: null });
    await pass(2 * MINUTE);
    expect(reasons).toEqual(['it made no progress for 30m']);
  });

  it('reports that no tool runs any more when its agent was ended during one', async () => {
    const id = await add('a task');
    const { agent } = hanging();
    let activity = { at: clock.now(), isBusy: true };
    void work(() => done, { startAgent: async () => agent, activity: () => activity });
    await pass(MINUTE);
    expect(await worker()).toMatchObject({ toolStartedAt: expect.any(Number) });
    await store.cancel({ taskId: id });
    // one more, before the agent is ended
    activity = { at: clock.now() + 1, isBusy: true };
    await pass(MINUTE);
    expect(await worker()).toMatchObject({ status: 'idle', toolStartedAt: null });
  });

  it('waits forever without hook reports, and while the account is paused', async () => {
    await add('a task');
    const { agent, reasons } = hanging();
    let activity: { at: number; isBusy: boolean } | null = null;
    void work(() => done, { startAgent: async () => agent, activity: () => activity });
    await pass(90 * MINUTE);
    activity = { at: clock.now(), isBusy: false };
    await store.pauseAccount({ key: 'a', until: { ms: 120 * MINUTE }, source: 'test' });
    await pass(120 * MINUTE);
    expect(reasons).toEqual([]);
    await pass(31 * MINUTE);
    expect(reasons).toEqual(['it made no progress for 30m']);
  });

  it('begins anew when the machine slept', async () => {
    await add('a task');
    const { agent, reasons } = hanging();
    const begunAt = clock.now();
    let sleptMs = 0;
    void work(() => done, {
      clock: { ...clock, now: () => clock.now() + sleptMs },
      startAgent: async () => agent,
      activity: () => ({ at: begunAt, isBusy: false }),
    });
    await pass(10 * MINUTE);
    sleptMs = 3 * 60 * MINUTE;
    await pass(29 * MINUTE);
    expect(reasons).toEqual([]);
    await pass(2 * MINUTE);
    expect(reasons).toEqual(['it made no progress for 30m']);
  });
});

describe('a worker whose task runs out of time', () => {
  const addTimed = async () => {
    const added = await store.addTasks({ tasks: [{ title: 'timed', timeBudgetMs: 20 * MINUTE }] });
    return added.type === 'added' ? (added.tasks[0]?.id ?? '') : expect.unreachable(JSON.stringify(added));
  };

  /** One agent that only ends when it is ended, in a folder in the state of `tree`. */
  function timed(tree: () => string | null, atEnd: AgentEnd = { ending: 'crashed', why: 'it was killed' }) {
    const settled: AgentEnd[] = [];
    const endedAt: number[] = [];
    const begunAt = clock.now();
    const startAgent = async () => {
      const { promise: ended, resolve } = Promise.withResolvers<AgentEnd>();
      const end = async () => {
        endedAt.push((clock.now() - begunAt) / MINUTE);
        drain.abort();
        resolve(atEnd);
      };
      return { ended, end };
    };
    const ended = work(() => done, {
      startAgent,
      treeState: async () => tree(),
      settleLeft: async (lease, end) => {
        settled.push(end);
        return settleLeft(lease, end);
      },
    });
    return { ended, settled, endedAt };
  }

  it('ends one that changed nothing, at the minute', async () => {
    await addTimed();
    const { ended, settled, endedAt } = timed(() => 'as it was');
    await pass(25 * MINUTE);
    await ended;
    expect(endedAt).toEqual([20]);
    expect(settled).toMatchObject([
      { ending: 'crashed', why: 'the time limit of the task has passed', timedOut: 'fail' },
    ]);
  });

  it('ends it at the minute while its account is paused, too', async () => {
    await addTimed();
    const { ended, endedAt } = timed(() => 'as it was');
    await pass(5 * MINUTE);
    await store.pauseAccount({ key: 'a', until: { ms: 60 * MINUTE }, source: 'another worker' });
    await pass(20 * MINUTE);
    await ended;
    expect(endedAt).toEqual([20]);
  });

  it('completes one that had finished by itself before it was ended', async () => {
    const id = await addTimed();
    const { ended, settled } = timed(() => 'as it was', { ...done, hasFinished: true });
    await pass(25 * MINUTE);
    await ended;
    expect(settled).toEqual([{ ...done, hasFinished: true }]);
    expect(await task(id)).toMatchObject({ state: 'done', failures: 0 });
  });

  it('extends a task with progress once by half, and then lets another worker continue it', async () => {
    const id = await addTimed();
    let tree = 0;
    const { ended, settled, endedAt } = timed(() => `state ${tree++}`);
    await pass(40 * MINUTE);
    await ended;
    expect(reported[0]).toBe(`the time limit of task ${id} has passed, but it made progress: extended once by 10m`);
    expect(endedAt).toEqual([30]);
    expect(settled).toMatchObject([{ ending: 'clean', timedOut: 'release' }]);
    expect(await store.attempts({ taskId: id })).toMatchObject({ attempts: [{ extendedMs: 10 * MINUTE }] });
  });

  it('gives nothing to one whose folder cannot be read', async () => {
    await addTimed();
    const { ended, settled } = timed(() => null);
    await pass(25 * MINUTE);
    await ended;
    expect(settled).toMatchObject([{ timedOut: 'fail' }]);
  });
});
