import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type RunningFleet, TestFleet } from '../support/testFleet.ts';

const MINUTE = 60_000;
let fleet: TestFleet;

beforeEach(() => {
  fleet = new TestFleet();
});
afterEach(() => {
  fleet.outage = null;
  return fleet.store.close();
});

const types = ({ events }: RunningFleet) => events.map(({ type }) => type);
const told = ({ events }: RunningFleet, type: string) => events.filter((event) => event.type === type);

/** A worker that runs, and holds a task. */
async function busyWorker(id = 'f-w1') {
  await fleet.registers(id);
  return fleet.claims(id);
}

/** A busy one whose process does not end, whatever it is told. */
async function immortalWorker() {
  const { pid } = await busyWorker();
  return Object.assign(fleet.processes.get(pid ?? 0) ?? {}, { ignoresTerm: true, ignoresKill: true });
}

describe('starting', () => {
  it('starts as many as tasks wait for, up to the most, and none for nothing', async () => {
    fleet.up();
    await fleet.pass(3_000);
    expect(fleet.starts).toEqual([]);
    await fleet.add('one', 'two');
    await fleet.pass(2_000);
    expect(fleet.starts).toEqual(['f-w1#1', 'f-w2#1']);
    await fleet.add('three', 'four', 'five', 'six');
    await fleet.pass(5_000);
    expect(fleet.starts).toHaveLength(3);
  });

  it('keeps a minimum running without tasks', async () => {
    fleet.up({ least: 2 });
    await fleet.pass(1_000);
    expect(fleet.starts).toEqual(['f-w1#1', 'f-w2#1']);
  });

  it('tells the store at once which process it started, before that says a word', async () => {
    fleet.up({ least: 1, queue: 'q', types: ['a'], kind: 'critical' });
    await fleet.pass(1_000);
    expect(await fleet.worker('f-w1')).toMatchObject({
      state: 'launching',
      pid: 100,
      pidStart: '1',
      host: 'here',
      queue: 'q',
      types: ['a'],
      kind: 'critical',
      accountKey: 'a',
      idleLimitMs: 10 * MINUTE,
    });
  });

  it('ends one that never registers, and starts another', async () => {
    const up = fleet.up({ least: 1 });
    // it runs, so it may be waiting for a connection of the store
    await fleet.pass(10 * MINUTE);
    expect(fleet.processes.get(100)?.sight).toBe('running');
    await fleet.pass(80_000);
    expect(fleet.processes.get(100)?.sight).toBe('gone');
    expect(told(up, 'ended')[0]).toMatchObject({ worker: 'f-w1', ending: 'launchFailed' });
    expect(fleet.starts).toEqual(['f-w1#1', 'f-w1#2']);
  });

  it('says why nothing can be started, and tries less and less often', async () => {
    fleet.canStart = false;
    const up = fleet.up({ least: 1 });
    await fleet.pass(10 * MINUTE);
    expect(told(up, 'notStarted')[0]).toMatchObject({ reason: 'there is no such executable' });
    expect(told(up, 'notStarted')).toHaveLength(5);
    expect(told(up, 'resting').at(-1)).toMatchObject({ worker: 'f-w1', why: 'crashLoop' });
  });

  it('starts only the first worker on a host that is full, and reports the measured load once', async () => {
    fleet.loadPerCore = 9;
    const up = fleet.up();
    await fleet.add('one');
    await fleet.pass(10_000);
    expect(fleet.starts).toEqual(['f-w1#1']);
    expect(told(up, 'hostFull')).toEqual([]);
    expect(fleet.shortages.at(-1)).toBeNull();
    await fleet.add('two', 'three');
    await fleet.pass(10_000, ['f-w1']);
    fleet.loadPerCore = 9.5;
    await fleet.pass(10_000, ['f-w1']);
    expect(fleet.starts).toEqual(['f-w1#1']);
    expect(told(up, 'hostFull')).toEqual([{ type: 'hostFull', shortage: { of: 'load', perCore: 9, limit: 4 } }]);
    expect(fleet.shortages.at(-1)).toEqual({ of: 'load', perCore: 9.5, limit: 4 });
    fleet.loadPerCore = 0;
    await fleet.pass(10_000, ['f-w1']);
    expect(fleet.starts).toHaveLength(3);
    expect(fleet.shortages.at(-1)).toBeNull();
  });

  it('starts nothing without memory for it, and reports how much there is', async () => {
    fleet.freeMemoryBytes = 1_000_000;
    const up = fleet.up();
    await fleet.add('one');
    await fleet.pass(10_000);
    expect(fleet.starts).toEqual([]);
    const shortage = { of: 'memory', freeBytes: 1_000_000, neededBytes: 512 * 1024 * 1024 };
    expect(told(up, 'hostFull')).toEqual([{ type: 'hostFull', shortage }]);
  });

  it('drains what is above the most after a restart with fewer', async () => {
    const first = fleet.up({ least: 3 });
    await fleet.pass(1_000);
    for (const id of ['f-w1', 'f-w2', 'f-w3']) await fleet.registers(id);
    first.kill();
    fleet.up({ most: 1 });
    await fleet.pass(2_000);
    const states = await Promise.all(['f-w1', 'f-w2', 'f-w3'].map(async (id) => (await fleet.worker(id)).state));
    expect(states.toSorted()).toEqual(['draining', 'draining', 'live']);
  });
});

describe('a worker that dies', () => {
  it('loses its task to the queue at once, and is replaced after a delay', async () => {
    const up = fleet.up();
    const [id = ''] = await fleet.add('one');
    await fleet.pass(1_000);
    const { pid } = await busyWorker();
    fleet.exits(pid ?? 0, 1);
    await fleet.pass(500);
    expect(await fleet.store.task({ id })).toMatchObject({ task: { state: 'queued', reclaims: 1 } });
    expect(told(up, 'reclaimed')).toEqual([
      { type: 'reclaimed', worker: 'f-w1', taskId: id, taskState: 'queued', as: 'lost' },
    ]);
    expect(told(up, 'ended')).toMatchObject([{ ending: 'crashed', exitCode: 1 }]);
    expect(fleet.starts).toHaveLength(1);
    await fleet.pass(30_000);
    expect(fleet.starts).toEqual(['f-w1#1', 'f-w1#2']);
  });

  it('keeps its task while something it started lives, until that is ended too', async () => {
    fleet.up();
    const [id = ''] = await fleet.add('one');
    await fleet.pass(1_000);
    const { pid } = await busyWorker();
    const agent = fleet.processes.get(pid ?? 0);
    if (agent) Object.assign(agent, { sight: 'orphaned', ignoresTerm: true });
    await fleet.pass(9_000);
    expect(await fleet.store.task({ id })).toMatchObject({ task: { state: 'claimed' } });
    await fleet.pass(4_000);
    expect(await fleet.store.task({ id })).toMatchObject({ task: { state: 'queued', reclaims: 1 } });
  });

  it('that exits cleanly with work left gives it back without blame', async () => {
    const up = fleet.up();
    const [id = ''] = await fleet.add('one');
    await fleet.pass(1_000);
    const { pid } = await busyWorker();
    fleet.exits(pid ?? 0, 0);
    await fleet.pass(500);
    expect(await fleet.store.task({ id })).toMatchObject({ task: { state: 'queued', reclaims: 0, failures: 0 } });
    expect(told(up, 'ended')).toMatchObject([{ ending: 'clean', exitCode: 0 }]);
  });

  it('again and again makes its slot rest, and the task ends dead', async () => {
    const up = fleet.up({ most: 1 });
    const [id = ''] = await fleet.add({ title: 'poison', maxReclaims: 3, backoffMs: 1_000 });
    for (let claim = 0; claim < 3; claim++) {
      for (let waited = 0; fleet.starts.length === claim && waited < 600; waited++) await fleet.pass(1_000);
      const { pid } = await busyWorker();
      fleet.exits(pid ?? 0, 1);
      await fleet.pass(1_000);
    }
    expect(await fleet.store.task({ id })).toMatchObject({ task: { state: 'dead', reclaims: 3 } });
    expect(told(up, 'ended')).toHaveLength(3);
  });

  it('is found by silence when its process hangs: suspected, ended, then given back', async () => {
    const up = fleet.up();
    const [id = ''] = await fleet.add('one');
    await fleet.pass(1_000);
    await busyWorker();
    await fleet.pass(2.5 * MINUTE);
    expect(told(up, 'suspect')).toHaveLength(1);
    expect(await fleet.store.task({ id })).toMatchObject({ task: { state: 'claimed' } });
    await fleet.pass(1.5 * MINUTE);
    expect(told(up, 'ending')).toEqual([{ type: 'ending', worker: 'f-w1', why: 'silent' }]);
    expect(await fleet.store.task({ id })).toMatchObject({ task: { reclaims: 1 } });
  });

  it('not even by SIGKILL keeps its task, and that is on record once', async () => {
    const up = fleet.up();
    const [id = ''] = await fleet.add('one');
    await fleet.pass(1_000);
    const { pid } = await busyWorker();
    Object.assign(fleet.processes.get(pid ?? 0) ?? {}, { ignoresTerm: true, ignoresKill: true });
    await fleet.pass(10 * MINUTE);
    expect(told(up, 'deferred')).toEqual([{ type: 'deferred', worker: 'f-w1', taskId: id }]);
    expect(await fleet.store.task({ id })).toMatchObject({ task: { state: 'claimed' } });
    expect(fleet.starts.filter((start) => start.startsWith('f-w1'))).toHaveLength(1);
    fleet.exits(pid ?? 0, null);
    await fleet.pass(2_000);
    expect(await fleet.store.task({ id })).toMatchObject({ task: { reclaims: 1 } });
  });

  it('is let go by itself when idle, and its end is told', async () => {
    const up = fleet.up({ least: 1 });
    await fleet.pass(1_000);
    const { pid, incarnation } = await fleet.registers('f-w1');
    await fleet.store.stopWorker({ workerId: 'f-w1', incarnation, exitReason: 'idle', exitCode: 0 });
    fleet.exits(pid ?? 0, 0);
    await fleet.pass(1_000);
    expect(told(up, 'ended')).toEqual([{ type: 'ended', worker: 'f-w1', ending: 'idle', exitCode: 0, signal: null }]);
  });

  it('that says goodbye and stays is ended before its slot is filled again', async () => {
    const up = fleet.up({ least: 1 });
    await fleet.pass(1_000);
    const { incarnation } = await fleet.registers('f-w1');
    await fleet.store.stopWorker({ workerId: 'f-w1', incarnation, exitReason: 'idle' });
    await fleet.pass(20_000);
    expect(fleet.starts).toHaveLength(1);
    await fleet.pass(20_000);
    expect(told(up, 'ending')).toEqual([{ type: 'ending', worker: 'f-w1', why: 'outlived' }]);
    expect(fleet.starts).toHaveLength(2);
  });
});

describe('limits of the account', () => {
  it('an exit with 75 pauses the account where the worker could not, and starts come back one after the other', async () => {
    const up = fleet.up();
    const [id = ''] = await fleet.add('one', 'two', 'three');
    await fleet.pass(1_000);
    const { pid } = await busyWorker();
    for (const id of ['f-w2', 'f-w3']) await busyWorker(id);
    fleet.exits(pid ?? 0, 75);
    await fleet.pass(2_000);
    expect(await fleet.store.task({ id })).toMatchObject({ task: { state: 'queued', failures: 0, reclaims: 0 } });
    expect(told(up, 'accountPaused')).toHaveLength(1);
    const before = fleet.starts.length;
    await fleet.pass(45_000, ['f-w2', 'f-w3']);
    expect(fleet.starts).toHaveLength(before);
    await fleet.pass(50_000, ['f-w2', 'f-w3']);
    expect(fleet.starts).toHaveLength(before + 1);
    expect(types(up)).toContain('accountResumed');
  });

  it('those who met a limit together are started again one after the other', async () => {
    fleet.up({ most: 6 });
    await fleet.add(...Array.from({ length: 6 }, (_unused, index) => `task ${index}`));
    await fleet.pass(1_000);
    await fleet.store.pauseAccount({ key: 'a', until: { ms: 20 * MINUTE }, source: 'test' });
    for (let slot = 1; slot <= 6; slot++) {
      const { pid, incarnation } = await fleet.registers(`f-w${slot}`);
      await fleet.store.stopWorker({ workerId: `f-w${slot}`, incarnation, exitReason: 'rateLimited' });
      fleet.exits(pid ?? 0, 75);
    }
    await fleet.pass(20 * MINUTE - 5_000);
    expect(fleet.starts).toHaveLength(6);
    const startedAt: number[] = [];
    for (let second = 0; second < 130; second++) {
      await fleet.pass(1_000);
      while (startedAt.length < fleet.starts.length - 6) startedAt.push(second);
    }
    expect(startedAt.slice(0, 6)).toHaveLength(6);
    expect(new Set(startedAt).size).toBeGreaterThan(3);
  });

  it('a paused worker that is silent is neither ended nor replaced', async () => {
    fleet.up();
    await fleet.add('one');
    await fleet.pass(1_000);
    await fleet.registers('f-w1');
    await fleet.store.pauseAccount({ key: 'a', until: { ms: 60 * MINUTE }, source: 'test' });
    await fleet.pass(30 * MINUTE);
    expect(await fleet.worker('f-w1')).toMatchObject({ state: 'live', suspectAt: null });
    expect(fleet.starts).toHaveLength(1);
  });
});

describe('coordinators', () => {
  it('that were killed are followed by one that adopts what lives and starts no doubles', async () => {
    const first = fleet.up();
    await fleet.add('one', 'two');
    await fleet.pass(1_000);
    await busyWorker('f-w1');
    await busyWorker('f-w2');
    first.kill();
    const second = fleet.up();
    await fleet.pass(3_000);
    expect(types(second)).toEqual(['leading', 'adopted', 'adopted']);
    expect(fleet.starts).toEqual(['f-w1#1', 'f-w2#1']);
  });

  it('of the same fleet on one host are one that leads and others that wait', async () => {
    const [first, second] = [fleet.up(), fleet.up()];
    await fleet.add('one', 'two', 'three', 'four');
    await fleet.pass(5_000);
    expect(fleet.starts).toEqual(['f-w1#1', 'f-w2#1', 'f-w3#1']);
    expect(types(second)).toEqual(['following']);
    const { pid } = await busyWorker();
    fleet.exits(pid ?? 0, 1);
    await fleet.pass(5_000);
    expect(told(first, 'reclaimed')).toHaveLength(1);
    expect(told(second, 'reclaimed')).toHaveLength(0);
    first.kill();
    await fleet.pass(2_000);
    expect(types(second)).toEqual(expect.arrayContaining(['following', 'leading']));
  });

  it('that follow go when they are asked to, and leave the workers alone', async () => {
    fleet.up({ least: 1 });
    const second = fleet.up({ least: 1 });
    await fleet.pass(1_000);
    await fleet.registers('f-w1');
    second.coordinator.shutDown();
    await fleet.pass(1_000);
    expect(await second.ended).toEqual({ left: [] });
    expect(await fleet.worker('f-w1')).toMatchObject({ state: 'live' });
  });

  it('that lost their term while they slept start nothing', async () => {
    const first = fleet.up();
    await fleet.pass(1_000);
    await fleet.store.resign({ name: 'fleet:f', holder: 'here:1:1', epoch: 1 });
    await fleet.store.lead({ name: 'fleet:f', holder: 'there:9:9', ttlMs: 60 * MINUTE });
    await fleet.add('one');
    await fleet.pass(30_000);
    expect(fleet.starts).toEqual([]);
    expect(types(first)).toEqual(['leading', 'following']);
  });
});

describe('what is not its own', () => {
  const shell = { workerId: 'here-4711', kind: 'manual', host: 'here', idleLimitMs: null };

  it('is never ended, however long it is silent', async () => {
    const { pid, pidStart } = fleet.process();
    await fleet.store.registerWorker({ ...shell, pid, pidStart });
    const [id = ''] = await fleet.add('a person has it');
    await fleet.claims(shell.workerId);
    fleet.up();
    await fleet.pass(60 * MINUTE);
    expect(await fleet.store.task({ id })).toMatchObject({ task: { state: 'claimed' } });
    expect(fleet.processes.get(pid)?.sight).toBe('running');
  });

  it('gives its task back when its process is gone', async () => {
    const { pid, pidStart } = fleet.process();
    await fleet.store.registerWorker({ ...shell, pid, pidStart });
    const [id = ''] = await fleet.add('a person had it');
    await fleet.claims(shell.workerId);
    fleet.up();
    fleet.exits(pid, 0);
    await fleet.pass(12_000);
    expect(await fleet.store.task({ id })).toMatchObject({ task: { state: 'queued', reclaims: 1 } });
  });

  it('on another host gives its task back when its lease has passed, but not a person', async () => {
    await fleet.store.registerWorker({ workerId: 'there-w1', host: 'there', pid: 5, pidStart: '5' });
    await fleet.store.registerWorker({ ...shell, workerId: 'there-9', host: 'there' });
    const [first = '', second = ''] = await fleet.add('one', 'two');
    await fleet.claims('there-w1');
    await fleet.claims('there-9');
    fleet.up();
    await fleet.pass(6 * MINUTE);
    expect(await fleet.store.task({ id: first })).toMatchObject({ task: { state: 'queued', reclaims: 1 } });
    expect(await fleet.store.task({ id: second })).toMatchObject({ task: { state: 'claimed' } });
  });
});

describe('a world that goes wrong', () => {
  it('a store that cannot be asked is said once, and nobody is ended for it', async () => {
    const up = fleet.up();
    await fleet.add('one');
    await fleet.pass(1_000);
    await busyWorker();
    fleet.outage = 'no server at 127.0.0.1';
    await fleet.pass(10 * MINUTE);
    expect(told(up, 'storeUnavailable')).toEqual([
      { type: 'storeUnavailable', reason: 'no server at 127.0.0.1', movedTo: null },
    ]);
    fleet.outage = null;
    await fleet.pass(10_000);
    expect(types(up)).toContain('storeBack');
    await fleet.pass(5 * MINUTE, ['f-w1']);
    expect(types(up)).not.toContain('suspect');
    expect(types(up)).not.toContain('ending');
  });

  it.each([60 * MINUTE, 8 * 60 * MINUTE])('I15: asleep for %d ms, nobody is taken for dead', async (ms) => {
    const up = fleet.up();
    await fleet.add('one', 'two', 'three');
    await fleet.pass(1_000);
    for (const id of ['f-w1', 'f-w2', 'f-w3']) await busyWorker(id);
    // everything sleeps: one jump, with no look in between
    fleet.clock.jump(ms);
    await fleet.pass(30_000);
    expect(told(up, 'slept')).toHaveLength(1);
    await fleet.pass(6 * MINUTE, ['f-w1', 'f-w2', 'f-w3']);
    expect(types(up)).not.toContain('ending');
    expect(types(up)).not.toContain('reclaimed');
  });

  it('asleep after somebody was suspected, that one has its whole grace again', async () => {
    const up = fleet.up();
    const [id = ''] = await fleet.add('one');
    await fleet.pass(1_000);
    await busyWorker();
    await fleet.pass(2 * MINUTE + 10_000);
    expect(told(up, 'suspect')).toHaveLength(1);
    fleet.clock.jump(60 * MINUTE);
    await fleet.pass(2 * MINUTE - 5_000);
    await fleet.pass(2 * MINUTE, ['f-w1']);
    expect(types(up)).not.toContain('reclaimed');
    expect(await fleet.store.task({ id })).toMatchObject({ task: { state: 'claimed', reclaims: 0 } });
  });

  it('incident 26: a process that works on after its task was cancelled is found and ended', async () => {
    const up = fleet.up();
    const [id = ''] = await fleet.add('one');
    await fleet.pass(1_000);
    await busyWorker();
    await fleet.pass(3 * MINUTE, ['f-w1']);
    await fleet.store.cancel({ taskId: id });
    for (let minute = 0; minute < 5; minute++) {
      await fleet.beats('f-w1', { activity: true });
      await fleet.pass(MINUTE, ['f-w1']);
    }
    expect(told(up, 'ending')).toEqual([{ type: 'ending', worker: 'f-w1', why: 'outlived' }]);
  });

  it('leaves one alone that obeyed when its task was cancelled', async () => {
    const up = fleet.up();
    const [id = ''] = await fleet.add('one');
    await fleet.pass(1_000);
    await busyWorker();
    await fleet.store.cancel({ taskId: id });
    await fleet.pass(8 * MINUTE, ['f-w1']);
    expect(types(up)).not.toContain('ending');
  });
});

describe('shutting down', () => {
  it('ends idle workers, lets busy ones finish, takes the lead off and is done', async () => {
    const up = fleet.up();
    await fleet.add('one', 'two');
    await fleet.pass(1_000);
    await busyWorker('f-w1');
    await fleet.registers('f-w2');
    up.coordinator.shutDown();
    await fleet.pass(2_000);
    expect((await fleet.worker('f-w1')).state).toBe('draining');
    expect((await fleet.worker('f-w2')).state).toBe('stopped');
    await fleet.completes('f-w1');
    const { incarnation, pid } = await fleet.worker('f-w1');
    await fleet.store.stopWorker({ workerId: 'f-w1', incarnation, exitReason: 'drained', exitCode: 0 });
    fleet.exits(pid ?? 0, 0);
    await fleet.pass(2_000);
    expect(await up.ended).toEqual({ left: [] });
    expect(fleet.starts).toHaveLength(2);
    expect(await fleet.store.lead({ name: 'fleet:f', holder: 'x', ttlMs: 1 })).toMatchObject({ type: 'leading' });
  });

  it('incident 29: with 10 s, hands the task of one that ignores SIGTERM back without blame, after its process', async () => {
    const up = fleet.up({ drainTimeoutMs: 10_000 });
    const [id = ''] = await fleet.add('one');
    await fleet.pass(1_000);
    const { pid } = await busyWorker();
    Object.assign(fleet.processes.get(pid ?? 0) ?? {}, { ignoresTerm: true });
    up.coordinator.shutDown();
    for (let second = 0; second < 10; second++) {
      const found = await fleet.store.task({ id });
      const isBack = found.type === 'found' && found.task.state === 'queued';
      if (isBack) expect(fleet.processes.get(pid ?? 0)?.sight).toBe('gone');
      await fleet.pass(1_000);
    }
    expect(await up.ended).toEqual({ left: [] });
    expect(await fleet.store.task({ id })).toMatchObject({
      task: { status: 'ready', failures: 0, reclaims: 0, releases: 0, epoch: 1 },
    });
  });

  it('leaves what will not die with its task, and says who that is', async () => {
    const up = fleet.up({ drainTimeoutMs: 10_000 });
    const [id = ''] = await fleet.add('one');
    await fleet.pass(1_000);
    await immortalWorker();
    up.coordinator.shutDown();
    await fleet.pass(15_000);
    expect(await up.ended).toEqual({ left: ['f-w1'] });
    expect(await fleet.store.task({ id })).toMatchObject({ task: { state: 'claimed' } });
  });

  it('does not call left behind what it hands back in the last look', async () => {
    const up = fleet.up({ drainTimeoutMs: 10_000 });
    const [id = ''] = await fleet.add('one');
    await fleet.pass(1_000);
    const process = await immortalWorker();
    up.coordinator.shutDown();
    await fleet.pass(9_999);
    Object.assign(process, { sight: 'gone' });
    await fleet.pass(5_000);
    expect(await up.ended).toEqual({ left: [] });
    expect(await fleet.store.task({ id })).toMatchObject({ task: { state: 'queued', failures: 0 } });
  });

  it('hurries when it is asked again', async () => {
    const up = fleet.up();
    const [id = ''] = await fleet.add('one');
    await fleet.pass(1_000);
    await busyWorker();
    up.coordinator.shutDown();
    await fleet.pass(60_000, ['f-w1']);
    up.coordinator.shutDown(10_000);
    await fleet.pass(12_000, ['f-w1']);
    expect(await up.ended).toEqual({ left: [] });
    expect(await fleet.store.task({ id })).toMatchObject({ task: { status: 'ready', releases: 0, epoch: 1 } });
  });

  it('ends what runs here although the store cannot be asked, and hands the task back when it answers again', async () => {
    const up = fleet.up({ drainTimeoutMs: 10_000 });
    const [id = ''] = await fleet.add('one');
    await fleet.pass(1_000);
    const { pid } = await busyWorker();
    await fleet.pass(1_000);
    // as by a worker that was stopped with the lock in its hands
    fleet.outage = 'locked';
    up.coordinator.shutDown();
    await fleet.pass(4_000);
    expect(fleet.processes.get(pid ?? 0)?.sight).toBe('running');
    await fleet.pass(2_000);
    expect(fleet.processes.get(pid ?? 0)?.sight).toBe('gone');
    fleet.outage = null;
    await fleet.pass(3_000);
    expect(await up.ended).toEqual({ left: [] });
    expect(await fleet.store.task({ id })).toMatchObject({ task: { state: 'queued', failures: 0, reclaims: 0 } });
    expect(types(up)).toEqual(expect.arrayContaining(['storeUnavailable', 'ending', 'storeBack', 'down']));
  });

  it('does not give up on a store for one answer that is missing before it has seen any', async () => {
    fleet.outage = 'no answer within 3s';
    const up = fleet.up({ drainTimeoutMs: 20_000 });
    up.coordinator.shutDown();
    await fleet.pass(1_000);
    fleet.outage = null;
    await fleet.pass(5_000);
    expect(await up.ended).toEqual({ left: [] });
  });

  it('does not wait for ever for a store that is gone', async () => {
    const up = fleet.up({ drainTimeoutMs: 10_000 });
    await fleet.pass(1_000);
    fleet.outage = 'gone';
    up.coordinator.shutDown();
    await fleet.pass(12_000);
    expect((await up.ended).left).toHaveLength(1);
  });
});
