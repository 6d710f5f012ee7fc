import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { REAP } from '../../src/testing/storeContract/steps.ts';
import { until } from '../support/fleetProject.ts';
import { startPostgres } from '../support/postgresServer.ts';
import { type Machine, type RemoteFleet, remoteFleet, textOf } from '../support/remoteFleet.ts';

const COMMIT = 'git -c user.name=a -c user.email=a@b commit -qm';

const add = async (machine: Machine, title: string, ...options: string[]) => {
  const { code, stdout, stderr } = await machine.run('task', 'add', title, '--max-failures', '1', ...options);
  expect(code, stderr).toBe(0);
  return stdout.trim();
};
const out = ({ project }: Machine, name: string) => path.join(project.dir, name);
const ended = async (run: ReturnType<Machine['work']>) => {
  const { code, stderr } = await run.ended;
  expect(code, stderr).toBe(0);
  return stderr;
};

/** The first machine is killed in the middle of its work; the second one shares only the store and the remote with it. */
async function survives(fleet: RemoteFleet): Promise<void> {
  const [first, second] = [await fleet.machine(), await fleet.machine()];
  const id = await add(first, 'work', '--repo', fleet.remote, '--base', 'main');
  expect(await fleet.task(id)).toMatchObject({ repository: fleet.url, base: 'main' });
  const script = `echo one > made.txt; git add -A; ${COMMIT} "by the first"; echo more > loose.txt; sleep 600`;
  const killed = first.work('first', script, '--push-every', '1s');
  // an earlier push may have come before the commit
  let looked: string | undefined;
  await until(async () => {
    const wip = (await fleet.attempts(id))[0]?.details.pushedWip;
    if (!wip || wip === looked) return false;
    looked = wip;
    return fleet.git('ls-tree', '--name-only', wip).includes('loose.txt');
  });
  killed.child.kill('SIGKILL');
  await killed.ended;
  await fleet.store.reap({ workerId: 'first', incarnation: 1, ...REAP });
  const look = `git log --format=%s > ${out(second, 'log')}; cat loose.txt > ${out(second, 'loose')}; echo "$1" > ${out(second, 'prompt')}; echo two >> made.txt`;
  const stderr = await ended(second.work('second', look, '--idle-timeout', '20s', '--drain-timeout', '1s'));
  const [one, two] = await fleet.attempts(id);
  expect(await fleet.task(id), stderr).toMatchObject({ state: 'done' });
  expect(textOf(out(second, 'log'))).toBe('by the first\nfirst\n');
  expect(textOf(out(second, 'loose'))).toBe('more\n');
  expect(textOf(out(second, 'prompt'))).toContain(
    `This worktree starts at the head of sg/${id}/1, the branch of the attempt before`,
  );
  expect(textOf(out(second, 'prompt'))).toContain('What it had not committed is in the files, too.');
  expect(two?.details).toMatchObject({ continuedFrom: `sg/${id}/1`, baseCommit: one?.details.pushedCommit });
  expect(two?.details).toMatchObject({ pushProblem: '', pushedCommit: two?.details.headCommit });
  expect(fleet.git('rev-parse', `sg/${id}/2`).trim()).toBe(two?.details.headCommit);
  expect(fleet.git('show', `sg/${id}/2:made.txt`)).toBe('one\ntwo\n');
  expect(fleet.git('rev-parse', `sg/${id}/1`).trim()).toBe(one?.details.pushedCommit);
  expect(fleet.git('log', '--format=%s', 'main').trim()).toBe('first');
}

describe('work survives its machine', { concurrent: true }, () => {
  it('continues on another machine after kill -9, with what was not committed', async () => {
    await using fleet = await remoteFleet();
    await survives(fleet);
  }, 120_000);

  it('does so with PostgreSQL', async () => {
    await using server = await startPostgres();
    await using fleet = await remoteFleet(server.url);
    await survives(fleet);
  }, 180_000);
});

it('a task starts at the branch of its remote, whatever the agent of another one made of it in the clone', async () => {
  await using fleet = await remoteFleet();
  const machine = await fleet.machine();
  const place = ['--repo', fleet.remote, '--base', 'main'];
  await add(machine, 'one', ...place);
  const branches = 'git branch -f main; git tag -f main; git update-ref refs/stopgate/remote/heads/main HEAD';
  await ended(machine.work('w', `echo mine > mine.txt; git add -A; ${COMMIT} mine; ${branches}`));
  const id = await add(machine, 'two', ...place, '--verify', 'test ! -e mine.txt');
  const stderr = await ended(machine.work('w', 'echo two > two.txt'));
  expect(await fleet.task(id), stderr).toMatchObject({ state: 'done' });
  expect((await fleet.attempts(id))[0]?.details.baseCommit).toBe(fleet.git('rev-parse', 'main').trim());
}, 120_000);
