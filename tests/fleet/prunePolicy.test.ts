import { execFileSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, it } from 'vitest';
import { available } from '../../src/store/unavailable.ts';
import { claim, worker } from '../../src/testing/storeContract/steps.ts';
import { type FleetProject, fleetProject } from '../support/fleetProject.ts';

const LONG_MS = 60_000;
const REMOVED =
  /: the policy of the store removed what ended more than .* ago: 1 task, 1 attempt, \d+ events?, 1 log, 1 worktree, 1 branch$/gm;

interface Ground {
  readonly folder: string;
  readonly log: string;
  git(...args: string[]): string;
  refs(): string;
}

/** A repository, a policy, and a task that is done, whose branch is merged. */
async function ground({ project, store }: FleetProject): Promise<Ground> {
  const git = (...args: string[]) =>
    execFileSync('git', ['-c', 'user.name=A', '-c', 'user.email=a@example.com', ...args], {
      cwd: project.dir,
      env: { PATH: process.env.PATH ?? '', HOME: project.home },
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'pipe'],
    });
  git('init', '--quiet', '--initial-branch=main');
  git('commit', '--quiet', '--allow-empty', '-m', 'first');
  const home = path.join(project.home, '.stopgate');
  const [folder, log] = [path.join(home, 'worktrees', 'project-task-1'), path.join(home, 'fleet/attempts/task-1.log')];
  git('worktree', 'add', '--quiet', '-b', 'sg/task/1', folder);
  git('branch', 'sg/unknown/1');
  mkdirSync(path.dirname(log), { recursive: true });
  writeFileSync(log, 'x');
  const by = await worker(store);
  await store.addTasks({ tasks: [{ id: 'task', title: 'quick task' }] });
  const head = git('rev-parse', 'HEAD').trim();
  const details = { branch: 'sg/task/1', worktree: folder, baseCommit: head, headCommit: head };
  await store.complete({ lease: (await claim(store, by)).lease, result: 'x', details });
  age(path.join(home, 'stopgate.db'));
  // the newest task stays, and nobody claims this one
  await store.addTasks({ tasks: [{ title: 'last', queue: 'other' }] });
  expect(await project.run(['store', 'policy', '--keep-done', '1h'])).toMatchObject({ code: 0 });
  return { folder, log, git, refs: () => git('for-each-ref', '--format=%(refname:short)', 'refs/heads') };
}

/** To wait an hour would take an hour. */
function age(file: string): void {
  using database = new DatabaseSync(file);
  database.exec('UPDATE tasks SET updated_at = updated_at - 7200000');
}

const WORKER = ['worker', 'run', '--agent', 'true', '--idle-timeout', 'never'];

describe('a policy of a store', { timeout: LONG_MS }, () => {
  it('is applied once by a worker, which says what it removed', async () => {
    await using fleet = await fleetProject();
    const { folder, log, refs } = await ground(fleet);
    const running = fleet.project.start(WORKER);
    await running.sees('the policy of the store removed');
    expect(refs()).toBe('main\nsg/unknown/1\n');
    expect([folder, log].some((file) => existsSync(file))).toBe(false);
    running.child.kill('SIGINT');
    const { stderr } = await running.ended;
    expect(stderr.match(REMOVED), stderr).toHaveLength(1);
    const { events } = available(await fleet.store.events({ limit: 1_000 }));
    expect(events.filter(({ kind }) => kind === 'store.pruned')).toHaveLength(1);
    const policy = await fleet.project.run(['store', 'policy']);
    expect(policy.stdout).toMatch(/last applied/);
  });

  it('that a killed worker was applying is finished by the next prune', async () => {
    await using fleet = await fleetProject();
    const { folder, log, refs, git } = await ground(fleet);
    const aside = path.join(path.dirname(folder), '.removing-project-task-1');
    const bin = path.join(fleet.project.home, 'bin');
    const real = execFileSync('sh', ['-c', 'command -v git'], { encoding: 'utf8' }).trim();
    mkdirSync(bin);
    // in the middle of git's removal
    const script = `case "$*" in *"worktree remove"*) rm -f '${aside}/.git'; kill -9 $(cat '${bin}/pid'); exit 1;; esac\nexec '${real}' "$@"\n`;
    writeFileSync(path.join(bin, 'git'), `#!/bin/sh\n${script}`);
    chmodSync(path.join(bin, 'git'), 0o755);
    const running = fleet.project.start(WORKER, { env: { PATH: `${bin}:${process.env.PATH}` } });
    writeFileSync(path.join(bin, 'pid'), String(running.child.pid));
    const killed = await running.ended;
    expect(killed.signal, killed.stderr).toBe('SIGKILL');
    expect((await fleet.store.task({ id: 'task' })).type).toBe('unknownTask');
    expect(existsSync(aside)).toBe(true);
    const prune = ['store', 'prune', '--older-than', '1h'];
    const dry = await fleet.project.run([...prune, '--dry-run', '--json']);
    const done = await fleet.project.run([...prune, '--json']);
    expect(JSON.parse(done.stdout).files, done.stderr).toEqual(JSON.parse(dry.stdout).files);
    expect(JSON.parse(done.stdout).files).toMatchObject({
      remove: [{ name: aside }, { name: 'refs/heads/sg/task/1' }],
      keep: [],
    });
    expect([aside, folder, log].some((file) => existsSync(file))).toBe(false);
    expect(refs()).toBe('main\nsg/unknown/1\n');
    git('fsck', '--no-progress');
    expect((await fleet.project.run(prune)).stdout).toMatch(/^Nothing .* can be removed\.$/m);
  });
});
