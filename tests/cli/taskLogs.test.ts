import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { fleetProject, until } from '../support/fleetProject.ts';
import { type TestProject, testProject } from '../support/project.ts';

const add = async (project: TestProject, ...args: string[]) =>
  (await project.run(['task', 'add', ...args])).stdout.trim();
const RUN = ['worker', 'run', '--slot', 'w'];

describe('stopgate task logs', () => {
  it('prints what the agent of each attempt printed, without secrets', async () => {
    await using fleet = await fleetProject();
    const { project } = fleet;
    const [id = ''] = await fleet.add({ title: 'talks' });
    const script = 'echo "attempt $STOPGATE_TASK_EPOCH $MY_API_KEY"; echo aside >&2; [ $STOPGATE_TASK_EPOCH = 2 ]';
    const run = project.start([...RUN, '--idle-timeout', '20s', '--agent', `sh -c '${script}' sh`], {
      env: { MY_API_KEY: 'sk-test-0123456789abcdef', STOPGATE_PASS_ENV: 'MY_API_KEY' },
    });
    await until(async () => (await fleet.task(id)).state === 'done' || undefined);
    run.child.kill('SIGTERM');
    await run.ended;
    const logs = (...more: string[]) => project.run(['task', 'logs', id, ...more]);
    const [last, first] = [await logs(), await logs('--attempt', '1')];
    expect(last.stdout).toMatch(/^attempt 2 (?!sk-).*\naside\n$/);
    expect(first.stdout).toMatch(/^attempt 1 (?!sk-).*\naside\n$/);
    expect(last.stdout + first.stdout).not.toContain('0123456789abcdef');
    expect(JSON.parse((await logs('--json')).stdout)).toMatchObject({ taskId: id, epoch: 2, text: last.stdout });
    const file = path.join(project.home, '.stopgate/fleet/attempts', `${id}-1.log`);
    expect(existsSync(file) && statSync(file).mode & 0o777).toBe(0o600);
    expect(await logs('--attempt', '3')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining(`Task ${id} has no attempt 3; its attempts are 1, 2.`),
    });
    const other = await add(project, 'never started');
    expect((await project.run(['task', 'logs', other])).stderr).toContain('was never started, so it has no output');
  }, 60_000);

  it('follows an attempt until it has ended', async () => {
    await using project = await testProject();
    const id = await add(project, 'long');
    const script = 'echo begun; while [ ! -e go ]; do sleep 0.05; done; echo over';
    const run = project.start([...RUN, '--idle-timeout', '2s', '--agent', `sh -c '${script}' sh`]);
    await run.sees('begun');
    const followed = project.start(['task', 'logs', id, '--follow']);
    await followed.sees('begun');
    project.write('go', '');
    const { code, stdout, stderr } = await followed.ended;
    expect({ code, stdout, stderr }).toEqual({
      code: 0,
      stdout: 'begun\nover\n',
      stderr: expect.stringContaining('Attempt 1 has ended: succeeded.'),
    });
    await run.ended;
    expect(await project.run(['task', 'logs', id, '--transcript'])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining(
        `No transcript of attempt 1 of task ${id} is known: its agent reported no session.`,
      ),
    });
  }, 60_000);

  it('shows no file that an agent named as its transcript and that is none, and waits for no pipe', async () => {
    await using fleet = await fleetProject();
    const { project, store } = fleet;
    const [id = ''] = await fleet.add({ title: 'talks' });
    await store.registerWorker({ workerId: 'w' });
    const claim = await store.claim({ workerId: 'w', incarnation: 1, claimKey: 'k' });
    if (claim.type !== 'claimed') throw new Error(JSON.stringify(claim));
    const { lease } = claim;
    project.write('key', 'PRIVATE KEY\n');
    project.write('one.json', '{"token": "PRIVATE"}');
    symlinkSync('key', path.join(project.dir, 'session-0123456789.jsonl'));
    execFileSync('mkfifo', [path.join(project.dir, 'pipe')]);
    const logs = path.join(project.home, '.stopgate/fleet/attempts');
    mkdirSync(logs, { recursive: true });
    writeFileSync(path.join(logs, `${id}-1.log`), 'printed\n');
    execFileSync('mkfifo', [path.join(logs, `${id}-1.log.1`)]);
    for (const name of ['key', 'one.json', 'session-0123456789.jsonl', 'pipe']) {
      const details = { session: 'session-0123456789', transcript: path.join(project.dir, name) };
      await store.heartbeat({ workerId: 'w', incarnation: 1, lease, details });
      for (const more of [[], ['--json']]) {
        const { code, stdout, stderr } = await project.run(['task', 'logs', id, '--transcript', ...more]);
        expect([code, stdout], stderr).toEqual([2, '']);
        expect(stderr).toMatch(/is not the conversation of its session; it is not shown|it is not a regular file/);
      }
    }
    expect(await project.run(['task', 'logs', id])).toMatchObject({ code: 0, stdout: 'printed\n' });
  }, 60_000);

  it('has tokens and cost of each attempt in task show, and dead tasks grouped by reason', async () => {
    await using project = await testProject(() => ({ text: 'All done.', usage: { out: 30 } }));
    const id = await add(project, 'talks', '--max-failures', '1');
    const { stderr } = await project.start([...RUN, '--idle-timeout', '2s', '--agent', 'stopgate']).ended;
    const { stdout } = await project.run(['task', 'show', id]);
    expect(stdout, stderr).toMatch(/epoch 1 {2}failed .*\n +\d+ tokens/);
    expect(stdout).toMatch(/\n {4}session {6}[\w-]{36}\n {4}transcript {3}\S+\.jsonl\n/);
    const transcript = await project.run(['task', 'logs', id, '--transcript']);
    expect(transcript.stdout, transcript.stderr).toMatch(/^> .*talks[\s\S]*\nAll done\.\n/);
    const json = JSON.parse((await project.run(['task', 'logs', id, '--transcript', '--json'])).stdout);
    expect(json.text).toContain('All done.');
    rmSync(json.file);
    expect((await project.run(['task', 'logs', id, '--transcript'])).stderr).toContain(
      `The transcript of attempt 1 of task ${id} is gone: there is no ${json.file}.`,
    );
    const dead = await project.run(['task', 'list', '--dead']);
    expect(dead.stdout).toMatch(
      /^ +1 {2}(?:No work|The agent stopped without settling its task).*\n +\w+\n\n1 dead task;/,
    );
    const { groups } = JSON.parse((await project.run(['task', 'list', '--dead', '--json'])).stdout);
    expect(groups).toMatchObject([{ count: 1, ids: [id] }]);
  }, 60_000);
});
