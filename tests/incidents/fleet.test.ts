import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { fleetProject, until } from '../support/fleetProject.ts';
import { isAlive } from '../support/project.ts';
import { TestFleet } from '../support/testFleet.ts';

const MINUTE = 60_000;

describe('incidents: workers that were taken for dead, and dead ones that were not', () => {
  let fleet: TestFleet;
  beforeEach(() => {
    fleet = new TestFleet();
  });
  afterEach(() => fleet.store.close());

  it('25: a silent build of 20 minutes under a heartbeat window of 2 minutes lives (gastown#4468)', async () => {
    const up = fleet.up();
    const [id = ''] = await fleet.add('build');
    await fleet.pass(1_000);
    await fleet.registers('f-w1');
    await fleet.claims('f-w1');
    await fleet.beats('f-w1', { tool: 'started' });
    await fleet.pass(20 * MINUTE, ['f-w1']);
    await fleet.completes('f-w1');
    expect(await fleet.store.task({ id })).toMatchObject({ task: { state: 'done', epoch: 1, reclaims: 0 } });
    expect(up.events.map(({ type }) => type)).toEqual(['leading', 'started']);
  });

  it('25: so does one of 50 minutes, and what an agent that went silent held is given to another (hermes-agent#23025)', async () => {
    const up = fleet.up();
    await fleet.add('build', 'think');
    await fleet.pass(1_000);
    for (const id of ['f-w1', 'f-w2']) {
      await fleet.registers(id);
      await fleet.claims(id);
      await fleet.bindsSession(id);
    }
    await fleet.beats('f-w1', { tool: 'started' });
    await fleet.beats('f-w2', { tool: 'started' });
    await fleet.beats('f-w2', { tool: 'ended' });
    await fleet.pass(50 * MINUTE, ['f-w1', 'f-w2']);
    const stalled = up.events.filter((event) => event.type === 'ending' && event.why === 'stalled');
    expect(stalled).toEqual([{ type: 'ending', worker: 'f-w2', why: 'stalled' }]);
    expect(await fleet.worker('f-w1')).toMatchObject({ incarnation: 1, status: 'busy' });
  });

  it('a worker that was idle for an hour is not taken for stalled when it gets a task', async () => {
    const up = fleet.up({ least: 1, kind: 'persistent', idleLimitMs: null });
    await fleet.pass(1_000);
    await fleet.registers('f-w1');
    await fleet.bindsSession('f-w1');
    await fleet.pass(60 * MINUTE, ['f-w1']);
    const [id = ''] = await fleet.add('at last');
    await fleet.claims('f-w1');
    await fleet.pass(MINUTE, ['f-w1']);
    await fleet.completes('f-w1');
    expect(await fleet.store.task({ id })).toMatchObject({ task: { state: 'done', epoch: 1, reclaims: 0 } });
    expect(up.events.map(({ type }) => type)).toEqual(['leading', 'started']);
  });

  it('26: a process that beats and works on after its task was closed is found, ended and replaced (gastown#4704)', async () => {
    const up = fleet.up({ least: 1 });
    const [id = ''] = await fleet.add('closed under its hands');
    await fleet.pass(1_000);
    await fleet.registers('f-w1');
    const { pid } = await fleet.claims('f-w1');
    await fleet.pass(3 * MINUTE, ['f-w1']);
    await fleet.store.cancel({ taskId: id });
    for (let minute = 0; minute < 4; minute++) {
      await fleet.beats('f-w1', { activity: true });
      await fleet.pass(MINUTE, ['f-w1']);
    }
    expect(up.events).toContainEqual({ type: 'ending', worker: 'f-w1', why: 'outlived' });
    expect(fleet.processes.get(pid ?? 0)?.sight).toBe('gone');
    await fleet.pass(10_000);
    expect(fleet.starts[1]).toBe('f-w1#2');
  });

  it('27: a coordinator on the state of last week ends nobody at its first look (ruflo#3194)', async () => {
    const first = fleet.up();
    const [id = ''] = await fleet.add('long');
    await fleet.pass(1_000);
    await fleet.registers('f-w1');
    await fleet.claims('f-w1');
    first.kill();
    fleet.clock.jump(7 * 24 * 60 * MINUTE);
    const second = fleet.up();
    await fleet.pass(5_000);
    expect(second.events.map(({ type }) => type)).toEqual(['leading', 'adopted']);
    // it was restored too, and beats again
    await fleet.pass(10 * MINUTE, ['f-w1']);
    expect(second.events.map(({ type }) => type)).toEqual(['leading', 'adopted']);
    expect(await fleet.store.task({ id })).toMatchObject({ task: { state: 'claimed', epoch: 1 } });
  });
});

describe('incidents: going down', { timeout: 60_000 }, () => {
  it('29: SIGTERM with a window of 10 s hands the item back, and it is done once (funky#167)', async () => {
    await using fleet = await fleetProject();
    const [id = ''] = await fleet.add('stubborn a');
    const first = fleet.up('-n', '1', '--drain-timeout', '10s');
    const agent = await fleet.agentOf('a');
    const askedAt = Date.now();
    first.child.kill('SIGTERM');
    expect(await first.ended).toMatchObject({ code: 0 });
    expect(Date.now() - askedAt).toBeLessThan(10_000);
    // nobody is left who could still finish it a second time
    expect(isAlive(agent)).toBe(false);
    expect(await fleet.task(id)).toMatchObject({ state: 'queued', failures: 0, reclaims: 0, releases: 0, epoch: 1 });
    const second = fleet.up('-n', '1');
    await until(() => fleet.lines('started.log').length === 2);
    fleet.letGo('a');
    await until(async () => (await fleet.task(id)).state === 'done');
    expect(fleet.lines('done.log')).toEqual(['a']);
    second.child.kill('SIGTERM');
    expect(await second.ended).toMatchObject({ code: 0 });
  });
});
