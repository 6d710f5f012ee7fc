import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { slotProcesses } from '../../src/fleet/slots/slotProcesses.ts';
import { sessionFile, taskSession } from '../../src/stop/startFile.ts';
import { systemClock } from '../../src/system/clock.ts';
import { type FleetProject, fleetProject, until } from '../support/fleetProject.ts';
import { isAlive } from '../support/project.ts';
import { sizeOf } from '../support/testSize.ts';

const APART = { timeout: 120_000, concurrent: true };
const AGENT = `${process.execPath} ${path.join(import.meta.dirname, '../support/fleetAgent.mjs')}`;

/** How many work at the same time. */
const AT_ONCE = sizeOf({ small: 4, full: 10 });

const homeOf = ({ project }: FleetProject) => path.join(project.home, '.stopgate');
const logOf = (fleet: FleetProject, worker: string) =>
  readFileSync(path.join(homeOf(fleet), 'fleet', `${worker}.log`), 'utf8');
const attemptsOf = async ({ store }: FleetProject, taskId: string) => {
  const listed = await store.attempts({ taskId });
  return listed.type === 'attempts' ? listed.attempts : [];
};

function gitIn({ project }: FleetProject): (...args: string[]) => string {
  const git = (...args: string[]) => execFileSync('git', args, { cwd: project.dir, encoding: 'utf8' });
  git('init', '-q', '-b', 'main');
  git('-c', 'user.name=a', '-c', 'user.email=a@b', 'commit', '-q', '--allow-empty', '-m', 'first');
  return git;
}

/** Of the task `evil`; the others wait for a file. */
const KILLS_ITS_PROCESS = `#!/bin/bash
until [ -e go ]; do
  case "$*" in *evil*)
    sleep 3
    for ((at = PPID; at > 1; at = $(awk '/^PPid/ { print $2 }' /proc/$at/status))); do
      case "$(tr '\\0' ' ' < /proc/$at/cmdline)" in *'worker run'*) kill -9 $at; sleep 60 ;; esac
    done ;;
  esac
  sleep 0.2
done
`;

describe('the workers of one process', APART, () => {
  it('work at the same time, each with its own worktree, log and heartbeat', async () => {
    await using fleet = await fleetProject();
    gitIn(fleet);
    const names = Array.from({ length: AT_ONCE }, (_unused, index) => `t${index}`);
    const ids = await fleet.add(...names.map((name) => `hold ${name}`));
    const up = fleet.up('-n', String(AT_ONCE), '--worktrees');
    const folders = await Promise.all(
      ids.map((id, index) =>
        until(async () => {
          const [attempt] = await attemptsOf(fleet, id);
          const folder = attempt?.details.worktree;
          return folder !== undefined && existsSync(path.join(folder, `${names[index]}.running`)) && folder;
        }),
      ),
    );
    const workers = await fleet.workers();
    expect(new Set(workers.map(({ pid }) => pid)).size).toBe(1);
    expect(new Set(folders).size).toBe(AT_ONCE);
    const agents = folders.map((folder, index) => Number(readFileSync(path.join(folder, `${names[index]}.running`))));
    const groups = agents.map((pid) => readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ')[2]);
    expect(groups).toEqual(agents.map(String));
    for (const { id, taskId, heartbeatAt, registeredAt } of workers) {
      const others = ids.filter((one) => one !== taskId);
      expect(logOf(fleet, id)).toContain(`task ${taskId} begins in`);
      expect(others.filter((one) => logOf(fleet, id).includes(one))).toEqual([]);
      expect(heartbeatAt).toBeGreaterThanOrEqual(registeredAt ?? 0);
    }
    for (const [index, folder] of folders.entries()) writeFileSync(path.join(folder, `${names[index]}.go`), '');
    await until(async () => (await Promise.all(ids.map(fleet.task))).every(({ state }) => state === 'done'));
    up.child.kill('SIGTERM');
    expect(await up.ended).toMatchObject({ code: 0 });
    expect(isAlive(workers[0]?.pid ?? 0)).toBe(false);
    expect(readdirSync(path.join(homeOf(fleet), 'fleet', 'processes'))).toEqual([]);
  });

  it('lose their tasks together when it gets kill -9: each is taken back once and done by another, and no agent is left', async () => {
    await using fleet = await fleetProject();
    const ids = await fleet.add('hold a', 'stubborn b', 'hold c');
    const up = fleet.up('-n', '3');
    const agents = await Promise.all(['a', 'b', 'c'].map(fleet.agentOf));
    const [worker] = await fleet.workers();
    process.kill(worker?.pid ?? 0, 'SIGKILL');
    await until(() => fleet.lines('started.log').length === 6);
    expect(agents.map(isAlive)).toEqual([false, false, false]);
    for (const name of ['a', 'b', 'c']) fleet.letGo(name);
    await until(async () => (await Promise.all(ids.map(fleet.task))).every(({ state }) => state === 'done'));
    expect(await Promise.all(ids.map(fleet.task))).toMatchObject(
      ids.map(() => ({ reclaims: 1, failures: 0, epoch: 2 })),
    );
    expect([...fleet.lines('done.log')].toSorted()).toEqual(['a', 'b', 'c']);
    up.child.kill('SIGTERM');
    expect(await up.ended).toMatchObject({ code: 0 });
  });

  it('have processes of their own after a crash, so that a task that kills its process is lost alone', async () => {
    await using fleet = await fleetProject();
    const agent = path.join(fleet.project.home, 'agent.sh');
    writeFileSync(agent, KILLS_ITS_PROCESS, { mode: 0o755 });
    const evil = { title: 'evil', maxReclaims: 2, backoffMs: 1 };
    const others = ['hold a', 'hold b'].map((title) => ({ title, maxReclaims: 2, backoffMs: 1 }));
    const ids = await fleet.add(evil, ...others);
    const up = fleet.project.start(['fleet', 'up', '-n', '3', '--ignore-load', '--agent', agent]);
    await until(async () => (await fleet.task(ids[0] ?? '')).state === 'dead');
    const [, a, b] = await Promise.all(ids.map(fleet.task));
    for (const one of [a, b]) expect(one).toMatchObject({ reclaims: 1, failures: 0 });
    await up.sees('is dead: it was lost too often');
    writeFileSync(path.join(fleet.project.dir, 'go'), '');
    await until(async () => (await Promise.all(ids.slice(1).map(fleet.task))).every(({ state }) => state === 'done'));
    up.child.kill('SIGTERM');
    await up.ended;
  });

  it('end one by one: by a drain and by force, and the others keep working', async () => {
    await using fleet = await fleetProject();
    const ids = await fleet.add('hold a', 'stubborn b', 'hold c');
    const up = fleet.up('-n', '3', '--drain-timeout', '30s');
    const [, agentB] = await Promise.all(['a', 'b', 'c'].map(fleet.agentOf));
    const workers = await fleet.workers();
    const holderOf = (id: string | undefined) => workers.find(({ taskId }) => taskId === id);
    const [a, b, c] = ids.map(holderOf);
    await fleet.store.drainWorker({ workerId: a?.id ?? '', incarnation: a?.incarnation ?? 0 });
    const about = await fleet.store.about({});
    const storeLocation = about.type === 'about' ? about.location : '';
    const processes = slotProcesses({ clock: systemClock, stopgateHome: homeOf(fleet), storeLocation });
    if (!b || !c) throw new Error('three workers hold the three tasks');
    expect([processes.sight(b), processes.sight({ ...b, incarnation: 99 })]).toEqual(['running', 'gone']);
    expect(await processes.end(b, 1_000)).toBe(true);
    expect([isAlive(agentB ?? 0), processes.sight(b), processes.sight(c)]).toEqual([false, 'gone', 'running']);
    // drained workers take no more tasks, and their slots are filled again for b
    await until(async () => (await fleet.task(ids[1] ?? '')).epoch === 2);
    expect(await fleet.task(ids[2] ?? '')).toMatchObject({ state: 'claimed', epoch: 1 });
    for (const name of ['a', 'b', 'c']) fleet.letGo(name);
    await until(async () => (await Promise.all(ids.map(fleet.task))).every(({ state }) => state === 'done'));
    await until(async () => (await fleet.workers()).find(({ id }) => id === a?.id)?.state === 'stopped');
    expect(await fleet.task(ids[0] ?? '')).toMatchObject({ epoch: 1, failures: 0 });
    expect([...fleet.lines('done.log')].toSorted()).toEqual(['a', 'b', 'c']);
    up.child.kill('SIGTERM');
    expect(await up.ended).toMatchObject({ code: 0 });
  });

  it('rest alone when their agents crash', async () => {
    await using fleet = await fleetProject();
    const [held = ''] = await fleet.add('hold a');
    const run = fleet.project.start(['worker', 'run', '--slots', '2', '--slot', 'box', '--agent', AGENT]);
    await fleet.agentOf('a');
    const busy = (await attemptsOf(fleet, held))[0]?.workerId ?? '';
    const [other = ''] = ['box-1', 'box-2'].filter((name) => name !== busy);
    const restOf = (name: string) => path.join(homeOf(fleet), 'fleet', `${name}.rest`);
    await fleet.add({ title: 'crash b', maxFailures: 9 });
    await until(() => existsSync(restOf(other)));
    expect([existsSync(restOf(busy)), (await fleet.task(held)).failures]).toEqual([false, 0]);
    fleet.letGo('a');
    await until(async () => (await fleet.task(held)).state === 'done');
    run.child.kill('SIGTERM');
    expect(await run.ended).toMatchObject({ code: 0 });
    expect((await fleet.workers()).map(({ id, state }) => [id, state])).toEqual([
      ['box-1', 'stopped'],
      ['box-2', 'stopped'],
    ]);
  });

  it('fail alone: the task goes to another one, and says why in the log', async () => {
    await using fleet = await fleetProject();
    gitIn(fleet);
    const [id = ''] = await fleet.add('quick a');
    // what its first attempt starts with cannot be written
    const start = sessionFile(homeOf(fleet), 'starts', taskSession({ taskId: id, epoch: 1 }));
    mkdirSync(path.join(start, 'taken'), { recursive: true });
    const run = fleet.project.start([
      'worker',
      'run',
      '--slots',
      '2',
      '--slot',
      'box',
      '--agent',
      AGENT,
      '--worktrees',
    ]);
    await until(async () => (await fleet.task(id)).state === 'done');
    expect(await fleet.task(id)).toMatchObject({ epoch: 2, reclaims: 1 });
    const [first] = await attemptsOf(fleet, id);
    expect(logOf(fleet, first?.workerId ?? '')).toContain('this slot ends because of an error: ');
    run.child.kill('SIGTERM');
    expect((await run.ended).code).toBe(70);
  });

  it('take little memory when they are idle', async () => {
    await using fleet = await fleetProject();
    const run = fleet.project.start(['worker', 'run', '--slots', '50', '--slot', 'box', '--agent', AGENT]);
    await until(async () => (await fleet.workers()).filter(({ state }) => state === 'live').length === 50);
    const [worker] = await fleet.workers();
    const [, pss = ''] = /^Pss:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${worker?.pid}/smaps_rollup`, 'utf8')) ?? [];
    expect(Number(pss) / 1024).toBeLessThan(100 + 50 * 3);
    run.child.kill('SIGTERM');
    expect(await run.ended).toMatchObject({ code: 0 });
  });
});

describe('stopgate worker run', () => {
  it.each([
    [['--slots', '0'], '--slots must be a whole number from 1 to 500, got "0"'],
    [['--slots', '2', '--incarnation', '3'], '--incarnation is that of one slot; leave out --slots.'],
    [['--coordinated'], '--coordinated needs --slots'],
  ])('refuses %j', async (args, sentence) => {
    await using fleet = await fleetProject();
    const end = await fleet.project.run(['worker', 'run', '--agent', AGENT, ...args]);
    expect(end).toMatchObject({ code: 2, stderr: expect.stringContaining(sentence) });
  });
});
