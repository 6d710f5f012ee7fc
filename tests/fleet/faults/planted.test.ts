import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type AgentEnd, runWorker } from '../../../src/fleet/worker/runWorker.ts';
import { awayStore } from '../../../src/store/outbox/awayStore.ts';
import type { Lease, Store, Unavailable } from '../../../src/store/types.ts';
import { available } from '../../../src/store/unavailable.ts';
import { databaseOfThisFile } from '../../store/support/postgresStores.ts';
import { TestFleet } from '../../support/testFleet.ts';
import { checkHistory } from './checkHistory.ts';
import type { History, HistoryEntry } from './history.ts';
import { storeHistory } from './storeHistory.ts';

/** Faults that are planted on purpose: a checker that finds none of them says nothing about a run without any. */

const database = databaseOfThisFile({ durable: false });
const START = Date.UTC(2026, 10, 15, 12);
const LEASE = { leaseMs: 180_000, deliverMs: 25_000 };
const MACHINES = new Map([
  ['one-l1', 'one'],
  ['two-l1', 'two'],
]);

type Schema = Awaited<ReturnType<typeof database.schema>>;

let schema: Schema;
let store: Store;
let entries: HistoryEntry[];
beforeEach(async () => {
  schema = await database.schema(START);
  store = await schema.open();
  entries = [];
});
afterEach(() => schema[Symbol.asyncDispose]());

const claimOf = ({ workerId, taskId, epoch, attemptId }: Lease) => ({
  machine: MACHINES.get(workerId) ?? '',
  taskId,
  epoch,
  attemptId,
});
const seen = (op: 'agentStarted' | 'agentFinished', lease: Lease) =>
  void entries.push({ op, ...claimOf(lease), at: schema.clock.now() });

async function claims(workerId: string): Promise<Lease> {
  await store.registerWorker({ workerId });
  const claim = available(await store.claim({ workerId, incarnation: 1, claimKey: `of ${workerId}` }));
  if (claim.type !== 'claimed') throw new Error(JSON.stringify(claim));
  seen('agentStarted', claim.lease);
  return claim.lease;
}

async function completes(lease: Lease): Promise<string> {
  const result = `by ${lease.workerId}`;
  const { type: answer } = available(await store.complete({ lease, result }));
  const at = schema.clock.now();
  entries.push({ op: 'answered', operation: 'complete', ...claimOf(lease), result, answer, at });
  return answer;
}

/** Cut off for longer than its lease. */
async function isTaken(workerId: string): Promise<void> {
  entries.push({ op: 'cut', machine: MACHINES.get(workerId) ?? '', at: schema.clock.now() });
  await schema.advance(200_000);
  await store.reap({ workerId, incarnation: 1, evidence: 'exited', staleAfterMs: 0, graceMs: 0 });
  await schema.advance(60_000);
}

async function violations(): Promise<readonly string[]> {
  const history: History = {
    entries,
    machines: MACHINES,
    refs: new Map(),
    ...LEASE,
    ...(await storeHistory(store, 0)),
  };
  return [...new Set(checkHistory(history).map(({ invariant }) => invariant))].toSorted();
}

describe('in a store', () => {
  beforeEach(() => store.addTasks({ tasks: [{ title: 'one' }] }));

  it('without a planted fault nothing is found', async () => {
    const first = await claims('one-l1');
    await isTaken('one-l1');
    const second = await claims('two-l1');
    expect(await completes(first)).toBe('superseded');
    seen('agentFinished', second);
    expect(await completes(second)).toBe('accepted');
    expect(await violations()).toEqual([]);
  });

  it('the fence of the epoch is removed', async () => {
    await schema.query(`CREATE OR REPLACE FUNCTION stopgate.is_held(h stopgate.held) RETURNS boolean LANGUAGE sql IMMUTABLE
      AS 'SELECT h.attempt_id IS NOT NULL'`);
    const first = await claims('one-l1');
    await isTaken('one-l1');
    const second = await claims('two-l1');
    expect(await completes(first)).toBe('accepted');
    await completes(second);
    await restoreFence();
    expect(await violations()).toEqual(expect.arrayContaining(['I3', 'I4', 'I9']));
  });

  it('an acknowledged completion is deleted by hand', async () => {
    const lease = await claims('one-l1');
    seen('agentFinished', lease);
    await completes(lease);
    await schema.query(`UPDATE stopgate.tasks SET state = 'queued'`);
    expect(await violations()).toEqual(expect.arrayContaining(['I3', 'I6', 'I7']));
  });

  it('a finished task is run again, because its worker read an outage as a settlement', async () => {
    const first = await claims('one-l1');
    seen('agentFinished', first);
    await schema.advance(60_000);
    await store.release({ lease: first, reason: 'drained' });
    const second = await claims('two-l1');
    seen('agentFinished', second);
    await completes(second);
    expect(await violations()).toEqual(['W1']);
  });

  it('a settlement that was kept is removed by hand', async () => {
    const first = await claims('one-l1');
    seen('agentFinished', first);
    entries.push({ op: 'kept', operation: 'complete', ...claimOf(first), at: schema.clock.now() });
    entries.push({ op: 'serverDown', at: schema.clock.now() });
    await schema.advance(200_000);
    entries.push({ op: 'serverUp', at: schema.clock.now() });
    await schema.advance(60_000);
    await store.reap({ workerId: 'one-l1', incarnation: 1, evidence: 'exited', staleAfterMs: 0, graceMs: 0 });
    await schema.advance(60_000);
    await completes(await claims('two-l1'));
    expect(await violations()).toEqual(expect.arrayContaining(['W1', 'W3']));
  });

  it('a task is taken from a worker that lives', async () => {
    await claims('one-l1');
    await schema.advance(200_000);
    await store.reap({ workerId: 'one-l1', incarnation: 1, evidence: 'exited', staleAfterMs: 0, graceMs: 0 });
    await schema.advance(60_000);
    await completes(await claims('two-l1'));
    expect(await violations()).toEqual(['I15']);
  });
});

const HELD = `h.state IN ('active', 'offered') AND h.task_state = 'claimed' AND h.epoch = h.task_epoch`;

/** Another test gets this schema. */
const restoreFence = () =>
  schema.query(`CREATE OR REPLACE FUNCTION stopgate.is_held(h stopgate.held) RETURNS boolean LANGUAGE sql IMMUTABLE
    AS $$ SELECT ${HELD} $$`);

describe('in a worker that is cut off for longer than its lease', () => {
  const AWAY: Unavailable = { type: 'unavailable', cause: 'unreachable', reason: 'The network is cut.' };

  /** Two machines, one task; the first one is cut off while its agent works. */
  async function cutOffWorker(fencesItself: boolean): Promise<readonly string[]> {
    const fleet = new TestFleet();
    const drain = new AbortController();
    const found: HistoryEntry[] = [];
    const running = new Map<string, Lease>();
    const note = (op: 'agentStarted' | 'agentSeen', lease: Lease) =>
      void found.push({ op, ...claimOf(lease), at: fleet.clock.now() });
    let isCut = false;
    const work = (workerId: string, host: string, storeOf: () => Store) =>
      runWorker({
        store: new Proxy(fleet.store, { get: (_, name) => Reflect.get(storeOf(), name) }) as Store,
        clock: fleet.clock,
        workerId,
        facts: { idleLimitMs: null, host },
        whyNoAgent: () => null,
        startAgent: async ({ lease }) => {
          const { promise, resolve } = Promise.withResolvers<AgentEnd>();
          running.set(workerId, lease);
          note('agentStarted', lease);
          const end = async () => {
            running.delete(workerId);
            resolve({ ending: 'crashed', why: 'it was ended' });
          };
          return { ended: promise, end };
        },
        settleLeft: async () => false,
        keepLost: async () => {},
        isGone: () => false,
        activity: () => null,
        leaveFolder: async () => {},
        treeState: async () => null,
        newClaimKey: () => `${workerId} ${fleet.clock.now()}`,
        drain: drain.signal,
        drainMs: 1_000,
        noteRest: () => {},
        kept: { of: async () => null, isEmpty: async () => true, deliver: async () => null },
        fencesItself: () => fencesItself,
        report: () => {},
      });
    await fleet.add('one');
    const ended = [work('one-l1', 'one', () => (isCut ? awayStore(AWAY) : fleet.store))];
    await fleet.pass(2_000);
    fleet.up({ most: 1, host: 'two' });
    ended.push(work('two-l1', 'two', () => fleet.store));
    isCut = true;
    found.push({ op: 'cut', machine: 'one', at: fleet.clock.now() });
    for (let seconds = 0; seconds < 400 && !running.has('two-l1'); seconds++) {
      await fleet.pass(1_000);
      for (const lease of running.values()) note('agentSeen', lease);
    }
    await fleet.pass(1_000);
    for (const lease of running.values()) note('agentSeen', lease);
    drain.abort();
    isCut = false;
    await fleet.pass(60_000);
    const history = {
      entries: found,
      machines: MACHINES,
      refs: new Map(),
      ...LEASE,
      ...(await storeHistory(fleet.store, 0)),
    };
    await fleet.store.close();
    return [...new Set(checkHistory(history).map(({ invariant }) => invariant))];
  }

  it('it ends its agent in time', async () => {
    expect(await cutOffWorker(true)).not.toContain('I2');
  });

  it('it ignores its fence, and two agents work on one task', async () => {
    expect(await cutOffWorker(false)).toContain('I2');
  });
});
