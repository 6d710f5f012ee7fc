import { execFileSync } from 'node:child_process';
import { expect, it } from 'vitest';
import { available } from '../../src/store/unavailable.ts';
import { fleetProject, until } from '../support/fleetProject.ts';

/** One line more each time; done at three, and otherwise it works until its time is over. */
const AGENT = `sh -c '
  echo "got: $1" | grep "worktree"
  echo line >> made.txt
  [ $(wc -l < made.txt) -lt 3 ] || exit 0
  sleep 60' sh`;

it('continues a task whose time is over from the branch of the attempt before', async () => {
  await using fleet = await fleetProject();
  const { project, store } = fleet;
  const git = (...args: string[]) => execFileSync('git', args, { cwd: project.dir, encoding: 'utf8', stdio: 'pipe' });
  git('init', '-q', '-b', 'main');
  git('-c', 'user.name=a', '-c', 'user.email=a@b', 'commit', '-q', '--allow-empty', '-m', 'first');
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
