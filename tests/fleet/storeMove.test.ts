import { existsSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { openStore } from '../../src/store/openStore.ts';
import type { Attempt, Store } from '../../src/store/types.ts';
import { available } from '../../src/store/unavailable.ts';
import { type FleetProject, fleetProject, until } from '../support/fleetProject.ts';
import { isAlive, type RunningCommand } from '../support/project.ts';

/** What happens to the work of a store that moves while it is under way. */

const LONG_MS = 60_000;
const AGENT = `${process.execPath} ${path.join(import.meta.dirname, '../support/fleetAgent.mjs')}`;
/** The shortest one: a worker that is silent for 7s is suspect. */
const LEASE = { STOPGATE_LEASE: '10s' };

const workerOf = ({ project }: FleetProject, slot: string, agent = AGENT, ...args: string[]): RunningCommand =>
  project.start(['worker', 'run', '--slot', slot, '--idle-timeout', '2s', '--agent', agent, ...args], { env: LEASE });

const placeOf = ({ project }: FleetProject) => path.join(project.home, 'other.db');

/** Moves the store; the new one. */
async function moved(fleet: FleetProject): Promise<Store> {
  const end = await fleet.project.run(['store', 'move', '--to', placeOf(fleet), '--yes']);
  expect(end.code, end.stderr).toBe(0);
  const store = await openStore(placeOf(fleet));
  if ('type' in store) throw new Error(store.reason);
  return store;
}

const attemptsOf = async (store: Store, taskId: string): Promise<readonly Attempt[]> =>
  available(await store.attempts({ taskId })).attempts;

const stateOf = async (store: Store, id: string) => {
  const found = await store.task({ id });
  return found.type === 'found' ? found.task.state : found.type;
};

const kept = ({ project }: FleetProject): readonly string[] => {
  const folder = path.join(project.home, '.stopgate/outbox');
  return existsSync(folder) ? readdirSync(folder).filter((name) => name.endsWith('.json')) : [];
};

describe('a fleet whose store has moved', { timeout: LONG_MS }, () => {
  it('ends promptly on SIGTERM, with 69 and nothing left running', async () => {
    await using fleet = await fleetProject();
    const up = fleet.up('-n', '1', '--min', '1');
    await until(async () => (await fleet.workers()).some(({ state }) => state === 'live'));
    const to = path.join(fleet.project.home, 'other.db');
    expect(await fleet.project.run(['store', 'move', '--to', to, '--yes'])).toMatchObject({ code: 0 });
    await up.sees('"storeUnavailable"');
    const begunAt = performance.now();
    up.child.kill('SIGTERM');
    const end = await up.ended;
    expect(end.code, end.stdout).toBe(69);
    expect(performance.now() - begunAt).toBeLessThan(20_000);
    expect((await fleet.workers()).map(({ pid }) => isAlive(pid ?? 0))).toEqual([false]);
  });
});

describe('a worker that has a task while its store moves', { timeout: LONG_MS }, () => {
  it('finishes it in the new store, says so, and ends', async () => {
    await using fleet = await fleetProject();
    const ids = await fleet.add('hold a', 'hold b');
    const workers = [workerOf(fleet, 'one'), workerOf(fleet, 'two')];
    for (const name of ['a', 'b']) await fleet.agentOf(name);
    const waiting = await fleet.add('quick c');
    await using there = await moved(fleet);
    for (const worker of workers) await worker.sees(`its store has moved to ${placeOf(fleet)}`);
    for (const name of ['a', 'b']) fleet.letGo(name);
    for (const worker of workers) {
      const { code, stderr } = await worker.ended;
      expect(code, stderr).toBe(69);
      expect(stderr).toContain('start workers there');
    }
    for (const id of ids) expect(await attemptsOf(there, id)).toMatchObject([{ state: 'succeeded', epoch: 1 }]);
    expect([kept(fleet), fleet.lines('done.log').toSorted()]).toEqual([[], ['a', 'b']]);
    // it takes no other one
    expect(await Promise.all(waiting.map((id) => stateOf(there, id)))).toEqual(['queued']);
    const listed = available(await there.workers({ running: true }));
    expect(listed.workers).toEqual([]);
  });

  it('keeps it, though a fleet of the new store looks for silent workers', async () => {
    await using fleet = await fleetProject();
    const [id = ''] = await fleet.add('hold a');
    // a slot of that fleet
    const worker = workerOf(fleet, 'night-w1');
    const agent = await fleet.agentOf('a');
    await using there = await moved(fleet);
    const up = fleet.project.start(
      [
        ...['fleet', 'up', '--json', '--ignore-load', '-n', '1', '--name', 'night'],
        '--store',
        placeOf(fleet),
        '--agent',
        AGENT,
      ],
      { env: LEASE },
    );
    await up.sees('"leading"');
    // longer than the lease, by the clock of the store
    const since = available(await there.workers()).now;
    await until(async () => available(await there.workers()).now - since > 16_000 || undefined);
    expect([isAlive(agent), await attemptsOf(there, id)]).toMatchObject([true, [{ state: 'active', epoch: 1 }]]);
    fleet.letGo('a');
    expect(await worker.ended).toMatchObject({ code: 69 });
    up.child.kill('SIGTERM');
    const { lines } = await up.ended;
    expect(lines.map(({ type }) => type)).not.toContain('ending');
    expect(await attemptsOf(there, id)).toMatchObject([{ state: 'succeeded', epoch: 1 }]);
    expect(fleet.lines('done.log')).toEqual(['a']);
  });

  it('delivers there what its agent reports', async () => {
    await using fleet = await fleetProject();
    const [id = ''] = await fleet.add('a task');
    fleet.project.write(
      'agent.sh',
      `echo $$ > a.running
      while [ ! -e a.go ]; do sleep 0.05; done
      stopgate task complete "$STOPGATE_TASK_ID" --result "by the agent" > said 2>&1
      exit 3`,
    );
    const worker = workerOf(fleet, 'one', 'sh agent.sh');
    await fleet.agentOf('a');
    await using there = await moved(fleet);
    fleet.letGo('a');
    const { code, stderr } = await worker.ended;
    expect([code, fleet.lines('said').join()], stderr).toEqual([69, expect.stringContaining('There is nothing more')]);
    expect(await attemptsOf(there, id)).toMatchObject([{ state: 'succeeded', result: 'by the agent' }]);
    expect(kept(fleet)).toEqual([]);
  });

  it('that is killed leaves what its agent had finished to a worker of the new store', async () => {
    await using fleet = await fleetProject();
    const [id = ''] = await fleet.add('a task');
    // its work is settled after its checks
    const hangs = 'touch checking; while [ ! -e a.go ]; do sleep 0.05; done';
    fleet.project.write('stopgate.config.json', JSON.stringify({ checks: [{ name: 'slow', command: hangs }] }));
    await fleet.project.run(['trust', '--yes']);
    const agent = `sh -c 'echo ran >> runs.log'`;
    const worker = workerOf(fleet, 'one', agent);
    await until(() => existsSync(path.join(fleet.project.dir, 'checking')) || undefined);
    worker.child.kill('SIGKILL');
    await worker.ended;
    await using there = await moved(fleet);
    fleet.letGo('a');
    const { stderr } = await workerOf(fleet, 'two', agent, '--store', placeOf(fleet)).ended;
    expect(await attemptsOf(there, id), stderr).toMatchObject([{ state: 'succeeded', epoch: 1 }]);
    expect(fleet.lines('runs.log')).toEqual(['ran']);
    expect(readdirSync(path.join(fleet.project.home, '.stopgate/outbox/ended'))).toEqual([]);
  });
});
