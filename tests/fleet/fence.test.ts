import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type AgentEnd, runWorker, type WorkerRun } from '../../src/fleet/worker/runWorker.ts';
import { awayStore } from '../../src/store/outbox/awayStore.ts';
import type { Store, Unavailable } from '../../src/store/types.ts';
import { TestFleet } from '../support/testFleet.ts';

const AWAY: Unavailable = { type: 'unavailable', cause: 'unreachable', reason: 'The network is cut.' };
const MINUTE = 60_000;

let fleet: TestFleet;
let drain: AbortController;
beforeEach(() => {
  fleet = new TestFleet();
  drain = new AbortController();
});
afterEach(async () => {
  drain.abort();
  await fleet.pass(5 * MINUTE);
  await fleet.store.close();
});

/** A worker of another machine than the coordinator's, with a network of its own. */
function workElsewhere(more: Partial<WorkerRun> = {}) {
  let isCut = false;
  /** Updates with this field are under way until it resolves, as in a network that drops packets. */
  let stuck: { readonly field: string; readonly until: Promise<void> } | null = null;
  const away = awayStore(AWAY);
  const store = new Proxy(fleet.store, {
    get: (target, name) => {
      const operation = Reflect.get(isCut ? away : target, name);
      if (stuck === null || name !== 'updateWorker') return operation;
      const { field, until } = stuck;
      return async (request: object) => {
        if (field in request) await until;
        return operation(request);
      };
    },
  }) as Store;
  const agents: { startedAt: number; endedAt: number | null; why: string | null }[] = [];
  const released: string[] = [];
  let claims = 0;
  const ended = runWorker({
    store,
    clock: fleet.clock,
    workerId: 'elsewhere',
    facts: { idleLimitMs: null, host: 'there' },
    whyNoAgent: () => null,
    startAgent: async () => {
      const { promise, resolve } = Promise.withResolvers<AgentEnd>();
      const agent: (typeof agents)[number] = { startedAt: fleet.clock.now(), endedAt: null, why: null };
      agents.push(agent);
      const end = async (why: string) => {
        Object.assign(agent, { endedAt: fleet.clock.now(), why });
        resolve({ ending: 'crashed', why: 'it was killed' });
      };
      return { ended: promise, end };
    },
    settleLeft: async (lease, { ending }) => {
      released.push(ending);
      await store.release({ lease, reason: 'drained' });
      return false;
    },
    keepLost: async () => {},
    isGone: () => false,
    activity: () => null,
    leaveFolder: async () => {},
    treeState: async () => null,
    newClaimKey: () => `elsewhere-${++claims}`,
    drain: drain.signal,
    drainMs: MINUTE,
    noteRest: () => {},
    kept: { of: async () => null, isEmpty: async () => true, deliver: async () => null },
    fencesItself: () => true,
    report: () => {},
    ...more,
  });
  const cut = (to: boolean) => {
    isCut = to;
  };
  const stick = (field: string, until: Promise<void>) => {
    stuck = { field, until };
  };
  return { agents, released, ended, cut, stick };
}

describe('a worker that is cut off from its store', () => {
  it('has ended its agent before a coordinator of another machine takes its task', async () => {
    const [id = ''] = await fleet.add('one');
    const there = workElsewhere();
    await fleet.pass(2_000);
    expect(there.agents).toHaveLength(1);
    fleet.up({ most: 1 });
    await fleet.pass(3 * MINUTE);
    there.cut(true);
    const stateOf = async () => {
      const found = await fleet.store.task({ id });
      return found.type === 'found' ? found.task.state : '';
    };
    let takenAt = 0;
    for (let seconds = 0; seconds < 400 && takenAt === 0; seconds++) {
      await fleet.pass(1_000);
      if ((await stateOf()) !== 'claimed') takenAt = fleet.clock.now();
    }
    const [agent] = there.agents;
    expect(agent?.why).toContain('the store could not be reached for 2m30s');
    expect(takenAt).toBeGreaterThan(0);
    expect(agent?.endedAt).not.toBeNull();
    expect(takenAt - (agent?.endedAt ?? 0)).toBeGreaterThanOrEqual(20_000);
    expect(there.released).toEqual(['drained']);
  });

  it('keeps its agent through an outage that is shorter, and in a store that only its own machine uses', async () => {
    await fleet.add('one', 'two');
    const there = workElsewhere();
    const alone = workElsewhere({ workerId: 'alone', newClaimKey: () => 'alone', fencesItself: () => false });
    await fleet.pass(2_000);
    there.cut(true);
    alone.cut(true);
    await fleet.pass(2 * MINUTE);
    there.cut(false);
    await fleet.pass(10 * MINUTE);
    expect([...there.agents, ...alone.agents]).toMatchObject([{ endedAt: null }, { endedAt: null }]);
  });

  it('starts no agent for a task that was taken from it before it could begin', async () => {
    const there = workElsewhere();
    const { promise: healed, resolve: heal } = Promise.withResolvers<void>();
    // the last request before its agent starts is lost on the way
    there.stick('sessionId', healed);
    await fleet.add('one');
    await fleet.pass(2_000);
    fleet.up({ most: 1 });
    await fleet.pass(10 * MINUTE);
    expect(await fleet.worker('elsewhere')).toMatchObject({ state: 'lost', incarnation: 1 });
    await fleet.store.registerWorker({ workerId: 'other' });
    await fleet.claims('other');
    heal();
    await fleet.pass(MINUTE);
    expect(there.agents).toEqual([]);
    expect(await fleet.worker('elsewhere')).toMatchObject({ state: 'live', incarnation: 2 });
  });

  it('sends heartbeats while its agent is started, however long that takes', async () => {
    await fleet.add('one');
    const { promise: ended } = Promise.withResolvers<AgentEnd>();
    const startAgent = async () => {
      await fleet.clock.sleep(10 * MINUTE);
      return { ended, end: async () => {} };
    };
    workElsewhere({ startAgent });
    await fleet.pass(2_000);
    fleet.up({ most: 1 });
    await fleet.pass(9 * MINUTE);
    expect(await fleet.worker('elsewhere')).toMatchObject({ state: 'live', incarnation: 1, suspectAt: null });
  });

  it('registers again when it was given up meanwhile', async () => {
    await fleet.add('one');
    const there = workElsewhere();
    await fleet.pass(2_000);
    fleet.up({ most: 1 });
    there.cut(true);
    await fleet.pass(10 * MINUTE);
    expect(await fleet.worker('elsewhere')).toMatchObject({ state: 'lost', incarnation: 1 });
    there.cut(false);
    await fleet.pass(MINUTE);
    expect(await fleet.worker('elsewhere')).toMatchObject({ state: 'live', incarnation: 2 });
  });
});
