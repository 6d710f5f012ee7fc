import { execFileSync } from 'node:child_process';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { openStore } from '../../src/store/openStore.ts';
import type { Store } from '../../src/store/types.ts';
import { available } from '../../src/store/unavailable.ts';
import { tempFolder } from '../../src/testing/tempFolder.ts';
import { fleetProject, until } from '../support/fleetProject.ts';
import type { TestProject } from '../support/project.ts';

/** One store and two machines: each has its own home, so its own machine id. They have one hostname. */
async function twoMachines() {
  const stack = new AsyncDisposableStack();
  const folder = stack.use(await tempFolder());
  const place = path.join(folder.path, 'tasks.db');
  const fleets = [stack.use(await fleetProject({ place })), stack.use(await fleetProject({ place }))] as const;
  const [one, two] = fleets;
  return { one, two, store: one.store, [Symbol.asyncDispose]: () => stack.disposeAsync() };
}

const run = (project: TestProject, args: string[], lease?: string) =>
  project.run(args, { env: lease === undefined ? {} : { STOPGATE_LEASE: lease } });
const work = (slot: string) => ['worker', 'run', '--slot', slot, '--idle-timeout', '1s', '--agent', 'true'];
const REFUSED =
  'The lease here is 3m, but that of the store is 12s: unset STOPGATE_LEASE and start again, or end all workers and coordinators of the store and run `stopgate store lease 3m`.';

describe('the lease of a store', { timeout: 90_000 }, () => {
  it('is that of its first worker: others use it, and are refused when they set another', async () => {
    await using at = await twoMachines();
    const { project: one } = at.one;
    const { project: two } = at.two;
    expect((await run(two, ['store', 'lease'])).stdout).toContain(
      'The lease of the store is 3m by default; the first worker or coordinator records its own.',
    );
    expect(await run(one, work('a'), '12s')).toMatchObject({ code: 0 });
    const [id = ''] = await at.one.add('waits');
    for (const args of [work('b'), ['fleet', 'up', '--agent', 'true']]) {
      expect(await run(two, args, '3m')).toMatchObject({ code: 2, stderr: expect.stringContaining(REFUSED) });
    }
    expect((await at.one.workers()).map(({ id: worker }) => worker)).toEqual(['a']);
    expect(await at.one.task(id)).toMatchObject({ state: 'queued', epoch: 0 });
    expect(await run(two, work('b'))).toMatchObject({ code: 0 });
    expect((await run(two, ['store', 'info'])).stdout).toMatch(/^Lease +12s$/m);
  });

  it('is changed while nothing runs, and moves with the store', async () => {
    await using at = await twoMachines();
    const { project } = at.one;
    const up = at.two.up('--name', 'night', '--min', '1', '-n', '1');
    await up.sees('"started"');
    const refused = await run(project, ['store', 'lease', '12s', '--json']);
    expect(refused.code).toBe(1);
    expect(JSON.parse(refused.stdout)).toMatchObject({ type: 'refused', leaseMs: 180_000, fleets: ['night'] });
    // whatever this shell has set, a fleet can be ended
    expect(await run(at.two.project, ['fleet', 'down'], '12s')).toMatchObject({ code: 0 });
    expect(await up.ended).toMatchObject({ code: 0 });
    const changed = await run(project, ['store', 'lease', '12s']);
    expect(changed).toMatchObject({ code: 0, stdout: 'The lease of the store is 12s.\n' });
    expect(await run(project, work('a'), '3m')).toMatchObject({ code: 2, stderr: expect.stringContaining(REFUSED) });
    const moved = path.join(project.home, 'moved.db');
    expect(await run(project, ['store', 'move', '--to', moved, '--yes'])).toMatchObject({ code: 0 });
    await using there = await opened(moved);
    expect(available(await there.about())).toMatchObject({ leaseMs: 12_000 });
  });
});

async function opened(place: string): Promise<Store> {
  const store = await openStore(place);
  if ('type' in store) throw new Error(store.reason);
  return store;
}

it('two machines with one hostname have two fleets, each with its own leader and slots', async () => {
  await using at = await twoMachines();
  const ups = [at.one, at.two].map((fleet) => fleet.up('--min', '1', '-n', '1'));
  for (const up of ups) await up.sees('"leading"');
  for (const up of ups) await up.sees('"started"');
  const names = (await at.one.workers()).map(({ id }) => id.replace(/-w1$/, ''));
  expect(names).toHaveLength(2);
  expect(new Set(names).size).toBe(2);
  for (const up of ups) up.child.kill('SIGTERM');
  for (const up of ups) expect(await up.ended).toMatchObject({ code: 0 });
}, 90_000);

describe('--worktrees outside of a repository', { timeout: 90_000 }, () => {
  it.each([
    ['worker run', ['worker', 'run', '--slot', 'w', '--worktrees', '--agent', 'true']],
    ['fleet up', ['fleet', 'up', '--worktrees', '--remove-worktrees', '--agent', 'true']],
  ])('%s refuses before it registers or claims', async (_name, args) => {
    await using fleet = await fleetProject();
    const [id = ''] = await fleet.add('waits');
    const end = await fleet.project.run(args);
    expect(end).toMatchObject({ code: 2, stderr: expect.stringContaining('--worktrees needs a git repository: ') });
    expect(await fleet.workers()).toEqual([]);
    expect(await fleet.task(id)).toMatchObject({ state: 'queued', epoch: 0 });
    execFileSync('git', ['init', '-q'], { cwd: fleet.project.dir });
    const empty = await fleet.project.run(args);
    expect(empty).toMatchObject({ code: 2, stderr: expect.stringContaining('needs a commit to start from') });
    expect(await fleet.task(id)).toMatchObject({ state: 'queued', epoch: 0 });
  });

  it('a worker whose repository is gone returns its task', async () => {
    await using fleet = await fleetProject();
    const { project } = fleet;
    repositoryIn(project);
    const options = ['--slot', 'w', '--worktrees', '--idle-timeout', '60s', '--agent', 'true'];
    const running = project.start(['worker', 'run', ...options]);
    await until(async () => (await fleet.workers()).some(({ status }) => status === 'idle'));
    rmSync(path.join(project.dir, '.git'), { recursive: true });
    const [id = ''] = await fleet.add('one');
    await running.sees(
      `No task is claimed: --worktrees needs a git repository, and ${project.dir} is no longer in one.`,
    );
    running.child.kill('SIGTERM');
    const { stderr } = await running.ended;
    const task = await fleet.task(id);
    expect(task).toMatchObject({ state: 'queued', failures: 0 });
    // it may notice before it claims; once it has claimed, it says why it started nothing
    if (task.epoch > 0)
      expect(stderr).toContain(
        `no agent was started: --worktrees needs a git repository: ${project.dir} is not in one.`,
      );
  });

  it.each([
    ['rm -rf .git', 'is no longer in a git repository.'],
    ['rm -rf "$PWD"', 'the folder of this worker, no longer exists.'],
  ])('an agent in place that runs %s fails no task after its own', async (command, why) => {
    await using fleet = await fleetProject();
    const { project } = fleet;
    repositoryIn(project);
    const agent = path.join(project.home, 'agent.sh');
    writeFileSync(agent, `#!/bin/sh\n${command}\n`, { mode: 0o755 });
    const ids = await fleet.add(...['one', 'two', 'three'].map((title) => ({ title, repository: project.dir })));
    const running = project.start(['worker', 'run', '--slot', 'w', '--idle-timeout', '4s', '--agent', agent]);
    await running.sees(why);
    running.child.kill('SIGTERM');
    await running.ended;
    mkdirSync(project.dir, { recursive: true });
    const tasks = await Promise.all(ids.map((id) => fleet.task(id)));
    expect(tasks).toMatchObject([{ state: 'done' }, { state: 'queued' }, { state: 'queued' }]);
    expect(tasks.map(({ failures }) => failures)).toEqual([0, 0, 0]);
  });

  it('a worker that may not write what a start needs returns its task and continues', async () => {
    await using fleet = await fleetProject();
    const { project } = fleet;
    const gates = path.join(project.home, '.stopgate', 'gates');
    mkdirSync(path.dirname(gates), { recursive: true });
    writeFileSync(gates, 'in place of a folder');
    const [id = ''] = await fleet.add('one');
    const running = project.start(['worker', 'run', '--slot', 'w', '--idle-timeout', '4s', '--agent', 'true']);
    await running.sees('no agent was started: ENOTDIR: not a directory');
    expect(await running.ended).toMatchObject({ code: 0 });
    expect(await fleet.task(id)).toMatchObject({ state: 'queued', failures: 0, reclaims: 0 });
  });

  it('an agent that puts a file in place of its folder does not end its worker', async () => {
    await using fleet = await fleetProject();
    const { project } = fleet;
    repositoryIn(project);
    const agent = path.join(project.home, 'agent.sh');
    writeFileSync(agent, '#!/bin/sh\nat=$PWD; cd /; rm -rf "$at"; echo x > "$at"\n', { mode: 0o755 });
    const [id = ''] = await fleet.add('one');
    const options = ['--slot', 'w', '--worktrees', '--idle-timeout', '2s', '--agent', agent];
    expect(await project.run(['worker', 'run', ...options])).toMatchObject({ code: 0 });
    expect(await fleet.task(id)).toMatchObject({ state: 'done', epoch: 1 });
  });

  it('an attempt whose worktree cannot be made fails with the reason, and the next one has another', async () => {
    await using fleet = await fleetProject();
    const { project } = fleet;
    const git = repositoryIn(project);
    const [id = ''] = await fleet.add('one');
    git('branch', `sg/${id}/1/taken`);
    const end = await project.run(['worker', 'run', '--worktrees', '--idle-timeout', '4s', '--agent', 'true']);
    expect(end).toMatchObject({ code: 0, stderr: expect.stringContaining('a worktree of ') });
    expect(await fleet.task(id)).toMatchObject({ state: 'done', failures: 1, epoch: 2 });
  });
});

function repositoryIn({ dir }: TestProject): (...args: string[]) => string {
  const git = (...args: string[]) => execFileSync('git', args, { cwd: dir, encoding: 'utf8' });
  git('init', '-q', '-b', 'main');
  git('-c', 'user.name=a', '-c', 'user.email=a@b', 'commit', '-q', '--allow-empty', '-m', 'first');
  return git;
}
