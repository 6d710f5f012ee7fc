import { execFileSync } from 'node:child_process';
import { chmodSync, rmSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { available } from '../../src/store/unavailable.ts';
import { type FleetProject, fleetProject, until } from '../support/fleetProject.ts';

/** One line more each time; done at three, and otherwise it works until its time is over. */
const AGENT = `sh -c '
  echo "got: $1" | grep "worktree"
  echo line >> made.txt
  [ $(wc -l < made.txt) -lt 3 ] || exit 0
  sleep 60' sh`;

const repositoryIn = (dir: string) => {
  const git = (...args: string[]) => execFileSync('git', args, { cwd: dir, encoding: 'utf8', stdio: 'pipe' });
  git('init', '-q', '-b', 'main');
  git('-c', 'user.name=a', '-c', 'user.email=a@b', 'commit', '-q', '--allow-empty', '-m', 'first');
  return git;
};

it('continues a task whose time is over from the branch of the attempt before', async () => {
  await using fleet = await fleetProject();
  const { project, store } = fleet;
  const git = repositoryIn(project.dir);
  const [id = ''] = await fleet.add({ title: 'three lines', timeBudgetMs: 1_000, backoffMs: 20 });
  const run = project.start(['worker', 'run', '--slot', 'w', '--worktrees', '--idle-timeout', '20s', '--agent', AGENT]);
  await until(async () => ['done', 'dead'].includes((await fleet.task(id)).state) || undefined);
  run.child.kill('SIGTERM');
  const { stderr, stdout } = await run.ended;
  const { attempts } = available(await store.attempts({ taskId: id }));
  const [first, second, third] = attempts.map(({ details }) => details);
  expect(await fleet.task(id), stderr).toMatchObject({ state: 'done', releases: 2, failures: 0, epoch: 3 });
  expect(git('show', `${third?.branch}:made.txt`)).toBe('line\nline\nline\n');
  expect(first).not.toHaveProperty('continuedFrom');
  expect([second?.continuedFrom, third?.continuedFrom]).toEqual([first?.branch, second?.branch]);
  expect(second?.baseCommit).toBe(git('rev-parse', String(first?.branch)).trim());
  expect(stderr).toContain(`continuing from branch ${first?.branch}`);
  expect(stdout).toContain(`This worktree starts at the head of ${first?.branch}, the branch of the attempt before`);
}, 60_000);

const start = ({ project }: FleetProject, agent: string) =>
  project.start(['worker', 'run', '--slot', 'w', '--worktrees', '--idle-timeout', '1s', '--agent', agent]);

it('fails an attempt whose verification cannot be read where its work began, and its worker goes on', async () => {
  await using fleet = await fleetProject();
  const { project, store } = fleet;
  repositoryIn(project.dir);
  const [id = ''] = await fleet.add({ title: 'a', verify: 'test -e made.txt', maxFailures: 2, backoffMs: 8_000 });
  const run = start(fleet, `sh -c 'echo x > made.txt; exit 1' sh`);
  await until(async () => (await fleet.task(id)).failures === 1 || undefined);
  // before the task is ready again, however busy the machine is
  run.child.kill('SIGTERM');
  await run.ended;
  // as on another machine, in whose clone a rewritten history has not got it any more
  const [first] = available(await store.attempts({ taskId: id })).attempts;
  if (first === undefined) throw new Error('no attempt');
  const { workerId, incarnation } = first;
  const lease = { taskId: id, attemptId: first.id, epoch: 1, workerId, incarnation };
  await store.heartbeat({ workerId, incarnation, lease, details: { baseCommit: '1'.repeat(40) } });
  rmSync(path.join(project.home, '.stopgate/gates'), { recursive: true });
  await until(async () => (await fleet.task(id)).status === 'ready' || undefined);
  const [next] = await fleet.add({ title: 'b' });
  const { code, stderr } = await start(fleet, 'true').ended;
  expect(code, stderr).toBe(0);
  const { attempts } = available(await store.attempts({ taskId: id }));
  expect(attempts[1], stderr).toMatchObject({
    state: 'failed',
    error: expect.stringContaining('no agent was started: the base of the work could not be read: '),
  });
  expect([(await fleet.task(id)).state, (await fleet.task(next ?? '')).state]).toEqual(['dead', 'done']);
}, 60_000);

it('fails an attempt whose budget its agent cannot keep to, and its worker goes on', async () => {
  await using fleet = await fleetProject();
  repositoryIn(fleet.project.dir);
  const [id = ''] = await fleet.add({ title: 'a', tokenBudget: 5, maxFailures: 1 });
  const [next = ''] = await fleet.add({ title: 'b' });
  fleet.project.write('bin/pi', '#!/bin/sh\nstopgate task complete "$STOPGATE_TASK_ID" --result done\n');
  chmodSync(path.join(fleet.project.dir, 'bin/pi'), 0o755);
  const env = { PATH: `${path.join(fleet.project.dir, 'bin')}:${process.env.PATH}` };
  const args = ['worker', 'run', '--worktrees', '--idle-timeout', '1s', '--agent', 'pi', '--', '--mode', 'text'];
  const { code, stderr } = await fleet.project.run(args, { env });
  expect(code, stderr).toBe(0);
  expect(await fleet.task(id)).toMatchObject({
    state: 'dead',
    lastError: expect.stringContaining('no agent was started: A budget cannot be enforced with --mode text'),
  });
  expect((await fleet.task(next)).state, stderr).toBe('done');
}, 60_000);
