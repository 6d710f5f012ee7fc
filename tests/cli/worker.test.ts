import { execFileSync } from 'node:child_process';
import { chmodSync, existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, it } from 'vitest';
import type { Worker } from '../../src/store/types.ts';
import { until } from '../support/fleetProject.ts';
import { type TestProject, testProject } from '../support/project.ts';
import { storedState } from '../support/storedState.ts';
import { storedTask, storedWorkers } from '../support/storedTask.ts';

const add = async (project: TestProject, ...titles: string[]) => {
  const input = titles.map((title) => JSON.stringify({ title, body: `Do ${title}.` })).join('\n');
  return (await project.run(['task', 'add'], { input })).stdout.trim().split('\n');
};
const storeOf = (project: TestProject) => path.join(project.home, '.stopgate/stopgate.db');
const show = (project: TestProject, id: string) => storedTask(storeOf(project), id);
const worker = (project: TestProject, ...options: string[]) =>
  project.start(['worker', 'run', '--slot', 'w', '--idle-timeout', '2s', ...options]);
const sh = (script: string) => ['--agent', `sh -c '${script}' sh`];

function repository(project: TestProject) {
  const git = (...args: string[]) => execFileSync('git', args, { cwd: project.dir, encoding: 'utf8', stdio: 'pipe' });
  git('init', '-q', '-b', 'main');
  git('-c', 'user.name=a', '-c', 'user.email=a@b', 'commit', '-q', '--allow-empty', '-m', 'first');
  return git;
}

// each has a project and a home of its own, and mostly waits
describe('stopgate worker run', { timeout: 90_000, concurrent: true }, () => {
  it('settles tasks by the exit code of a plain command', async () => {
    await using project = await testProject();
    const [good = '', bad = ''] = await add(project, 'good', 'bad');
    const script = 'case "$1" in *bad*) echo broken; exit 3;; *) echo "made it";; esac';
    const { code, stderr } = await worker(project, ...sh(script)).ended;
    expect([code, stderr]).toEqual([0, expect.stringContaining('so this worker may stop')]);
    expect(stderr).toContain(`stopgate: w: task ${good} is done\n`);
    expect(stderr).toContain(`stopgate: w: task ${bad} is queued again; it failed 1 of 3 times\n`);
    expect((await show(project, good)).task).toMatchObject({ state: 'done', result: 'made it' });
    const { task, attempts } = await show(project, bad);
    expect(task.failures).toBeGreaterThan(0);
    expect(attempts[0]).toMatchObject({
      state: 'failed',
      error: expect.stringContaining('exited with code 3\nbroken'),
    });
  });

  it('records what a plain command printed on stderr as the reason of its failure, not as a result', async () => {
    await using project = await testProject();
    const [good = '', bad = ''] = await add(project, 'good', 'bad');
    const script =
      'echo warning >&2; case "$1" in *bad*) echo begun; echo "no such file" >&2; exit 3;; *) echo ok;; esac';
    const { code } = await worker(project, ...sh(script)).ended;
    expect(code).toBe(0);
    expect((await show(project, good)).task).toMatchObject({ state: 'done', result: 'ok' });
    const { error } = (await show(project, bad)).attempts[0];
    expect(error).toBe('it exited with code 3\nwarning\nno such file\nbegun');
  });

  it('leaves a receipt of each task that a plain command did, which the task names', async () => {
    await using project = await testProject();
    const git = repository(project);
    project.write('stopgate.config.json', '{"checks":[{"name":"tests","command":"test -e fixed"}]}');
    git('add', '.');
    git('-c', 'user.name=a', '-c', 'user.email=a@b', 'commit', '-qm', 'checks');
    await project.run(['trust', '--yes']);
    const store = path.join(project.home, 'tasks.db');
    const place = { env: { STOPGATE_STORE: store } };
    const added = async (title: string) =>
      (await project.run(['task', 'add', title, '--max-failures', '1'], place)).stdout.trim();
    const [bad, good] = [await added('bad'), await added('good')];
    const script = 'case "$1" in *good*) touch fixed;; *) rm -f fixed;; esac';
    const ran = await project.run(['worker', 'run', '--slot', 'w', '--idle-timeout', '1s', ...sh(script)], place);
    expect(ran.code, ran.stderr).toBe(0);
    const receipt = async (task: string) => {
      const { code, stdout, stderr } = await project.run(['receipt', task, '--store', store, '--json']);
      expect([code, stderr]).toEqual([0, '']);
      return JSON.parse(stdout).receipt;
    };
    expect(await receipt(good)).toMatchObject({
      ...{ worker: 'w', outcome: 'passed', isProven: true, session: `verify-${good}-1`, agent: 'verifier' },
      checks: [{ name: 'tests', outcome: 'passed', exitCode: 0 }],
    });
    expect(await receipt(bad)).toMatchObject({
      worker: 'w',
      outcome: 'blocked',
      isProven: false,
      session: `task-${bad}-1`,
    });
    expect(await receipt(good.slice(0, 6))).toMatchObject({ outcome: 'passed' });
    const page = await project.run(['receipt', good], place);
    expect(page.stdout).toMatch(/^Proven, with exceptions\n/);
    expect((await project.run(['why', good], place)).stdout).toContain('the verification ended: passed (tests)');
    const open = await added('open');
    const none = await project.run(['receipt', open], place);
    expect([none.code, none.stderr]).toEqual([
      2,
      expect.stringContaining('has not been started, so nothing is on record'),
    ]);
  });

  it('warns at its start, with the fix, where the checks may not run, and not after `stopgate trust`', async () => {
    await using project = await testProject();
    const place = { env: { STOPGATE_STORE: path.join(project.home, 'tasks.db') } };
    const start = async () =>
      (await project.run(['worker', 'run', '--slot', 'w', '--idle-timeout', '1s', ...sh('true')], place)).stderr;
    expect(await start()).not.toContain('stopgate trust');
    const file = project.write('stopgate.config.json', '{"checks":[{"name":"tests","command":"true"}]}');
    const unchecked = 'until then, agents stop unchecked and their work is not verified.';
    expect(await start()).toContain(
      `stopgate: The checks of ${file} may not run: the folder is not trusted; review them, then run \`stopgate trust ${project.dir}\`; ${unchecked}\n`,
    );
    await project.run(['trust', '--yes']);
    expect(await start()).not.toContain('stopgate trust');
    project.write('stopgate.config.json', '{"checks":[{"name":"tests"');
    expect(await start()).toMatch(
      /stopgate\.config\.json:1:\d+: .*: fix it, then run `stopgate trust [^`]+`; until then/,
    );
  });

  it('keeps our own agent going from task to task in one session, and is told that a tool runs', async () => {
    await using project = await testProject((body) => {
      const said = JSON.stringify(body.messages.findLast(({ role }: { role: string }) => role === 'user'));
      const [, id, epoch] = /Task (\S+), attempt \d+, epoch (\d+)/.exec(said) ?? [];
      if (id === undefined) return { text: 'I am done.' };
      const marks = '"$(cat "$STOPGATE_ACTIVITY_FILE")"';
      return {
        tools: [
          { name: 'Bash', input: { command: `stopgate task complete ${id} --epoch ${epoch} --result ${marks}` } },
        ],
      };
    });
    const ids = await add(project, 'one', 'two', 'three');
    const mayRun = ['--permission-mode', 'bypassPermissions'];
    const { code, stderr } = await worker(project, '--agent', 'stopgate', '--', ...mayRun).ended;
    expect(code, stderr).toBe(0);
    for (const id of ids) expect((await show(project, id)).task, stderr).toMatchObject({ state: 'done', result: 's' });
    expect(project.transcripts()).toHaveLength(1);
  });

  it('says which checks hold its agent, and how they ended', async () => {
    await using project = await testProject((body) => {
      const said = JSON.stringify(body.messages.findLast(({ role }: { role: string }) => role === 'user'));
      const [, id, epoch] = /Task (\S+), attempt \d+, epoch (\d+)/.exec(said) ?? [];
      if (id === undefined) return { text: 'I am done.' };
      return { tools: [{ name: 'Bash', input: { command: `stopgate task complete ${id} --epoch ${epoch}` } }] };
    });
    const git = repository(project);
    project.write('stopgate.config.json', '{"checks":[{"name":"tests","command":"test -e fixed"}]}');
    git('add', '.');
    git('-c', 'user.name=a', '-c', 'user.email=a@b', 'commit', '-qm', 'checks');
    await add(project, 'one');
    const own = ['--agent', 'stopgate'];
    // a worker is an order for work: nothing changed, and it is checked all the same
    const untrusted = await worker(project, ...own).ended;
    expect(untrusted.stderr).toContain('stopgate: w: Checks not run at the stop (tests, from ');
    expect(untrusted.stderr).toContain('stopgate: w: checks: skipped (the folder is not trusted)\n');
    expect((await project.run(['trust', '--yes'])).code).toBe(0);
    const [two = ''] = await add(project, 'two');
    const { stderr } = await worker(project, ...own).ended;
    expect(stderr).toContain('stopgate: w: Checks armed: tests.\n');
    expect(stderr).toMatch(
      /^stopgate: w: checks: stalled \(still failing: tests; no file changed in the last \d+ stops\)$/m,
    );
    // its completion was refused
    expect((await show(project, two)).task.state).not.toBe('done');
  }, 60_000);

  it('says that checks hold a plain command too, and how they ended', async () => {
    await using project = await testProject();
    repository(project);
    project.write('stopgate.config.json', '{"checks":[{"name":"tests","command":"test -e fixed"}]}');
    expect((await project.run(['trust', '--yes'])).code).toBe(0);
    await add(project, 'one');
    const { stderr } = await worker(project, ...sh('touch fixed')).ended;
    expect(stderr).not.toContain('not armed');
    expect(stderr).toContain('stopgate: w: Checks armed: tests.\n');
    expect(stderr).toContain('stopgate: w: checks: passed (tests)\n');
  }, 60_000);

  it('gives a task whose time is over more of it if it got on, and counts a failure if it did not', async () => {
    await using project = await testProject();
    const timed = async (title: string) =>
      (await project.run(['task', 'add', title, '--time-budget', '2s', '--max-failures', '1'])).stdout.trim();
    const [lazy, busy] = [await timed('lazy'), await timed('busy')];
    const script = 'case "$1" in *busy*) while :; do date +%N >> made.txt; sleep 0.2; done;; *) exec sleep 60;; esac';
    const run = worker(project, '--drain-timeout', '1s', ...sh(script));
    const attempts = async (id: string) => (await show(project, id)).attempts;
    await until(() => storedState(project, busy) === 'claimed');
    await until(() => storedState(project, busy) === 'queued');
    run.child.kill('SIGTERM');
    const { stderr } = await run.ended;
    expect((await show(project, lazy)).task, stderr).toMatchObject({ state: 'dead', failures: 1 });
    expect((await attempts(lazy))[0]).toMatchObject({ state: 'timed_out', extendedMs: 0, countsAsFailure: true });
    // it goes on later: each release waits longer
    const { task } = await show(project, busy);
    expect(task).toMatchObject({ failures: 0, releases: 1, state: 'queued' });
    expect(task.runAt - task.updatedAt).toBeGreaterThanOrEqual(5_000);
    expect((await project.run(['task', 'list'])).stdout).toMatch(
      /(?:delayed .*\[in \d+s, |ready .*\[)released 1 of 20\] busy/,
    );
    expect((await attempts(busy))[0]).toMatchObject({ state: 'timed_out', extendedMs: 1_000, countsAsFailure: false });
    expect(stderr).toContain(`the time limit of task ${busy} has passed, but it made progress: extended once by 1s`);
  }, 60_000);

  it('counts every start of an agent that never settles its task, and ends the task with the reason', async () => {
    await using project = await testProject();
    const claude = project.write('claude', '#!/bin/sh\necho start >> "$HOME/starts"; echo "I think I am done."\n');
    chmodSync(claude, 0o755);
    const id = (await project.run(['task', 'add', 'never settled', '--max-failures', '2'])).stdout.trim();
    const run = project.start(['worker', 'run', '--slot', 'w', '--idle-timeout', '25s', '--agent', 'claude'], {
      env: { STOPGATE_CLAUDE: claude },
    });
    await until(() => storedState(project, id) === 'dead');
    run.child.kill('SIGTERM');
    await run.ended;
    expect(readFileSync(path.join(project.home, 'starts'), 'utf8')).toBe('start\nstart\n');
    const { task, attempts } = await show(project, id);
    expect(task).toMatchObject({ state: 'dead', failures: 2 });
    expect(task.lastError).toMatch(/^The agent stopped without settling its task: [^\n]*\nI think I am done\.$/);
    expect(attempts[1].claimedAt - attempts[0].endedAt).toBeGreaterThanOrEqual(5_000);
    const { stdout } = await project.run(['task', 'list']);
    expect(stdout).toMatch(/TRY +STARTS/);
    expect(stdout).toMatch(/dead +\d+s +2\/2 +2 .*\[The agent stopped without set…\]/);
    expect((await project.run(['task', 'show', id])).stdout).toMatch(
      /State +dead: it failed 2 times and has no tries left\n(?:.*\n)*Tries +2\/2 · started 2 times · failed 2 of 2 /,
    );
  }, 90_000);

  it('counts a start of our own agent that does nothing but talk', async () => {
    let requests = 0;
    await using project = await testProject(() => {
      requests += 1;
      return { text: 'All done.' };
    });
    const id = (await project.run(['task', 'add', 'never settled', '--max-failures', '1'])).stdout.trim();
    const { stderr } = await worker(project, '--agent', 'stopgate').ended;
    const { task, attempts } = await show(project, id);
    expect(task, stderr).toMatchObject({ state: 'dead', failures: 1 });
    expect(attempts).toHaveLength(1);
    expect(requests).toBeLessThanOrEqual(6);
  }, 60_000);

  it('is shown by its heartbeat when it is frozen', async () => {
    await using project = await testProject();
    await add(project, 'long');
    const run = worker(project, '--drain-timeout', '1s', ...sh('echo started; exec sleep 600'));
    await run.sees('started');
    const json = async (...args: string[]) => JSON.parse((await project.run([...args, '--json'])).stdout);
    // what four minutes would do
    const isAged = () => {
      run.child.kill('SIGSTOP');
      try {
        using database = new DatabaseSync(path.join(project.home, '.stopgate/stopgate.db'), { timeout: 1_000 });
        database.exec('UPDATE workers SET heartbeat_at = heartbeat_at - 240000');
        return true;
      } catch {
        // it was stopped in the middle of a write, and holds the file
        run.child.kill('SIGCONT');
        return false;
      }
    };
    await until(async () => (await storedWorkers(storeOf(project)))[0]?.taskId !== null);
    await until(async () => isAged() || undefined);
    const { stdout } = await project.run(['worker', 'list']);
    expect(stdout).toMatch(/ not responding, last heartbeat 4m(?:\d\ds)? ago /);
    expect(stdout).toContain('1 worker: 1 not responding.');
    expect((await json('worker', 'list')).workers).toMatchObject([{ shownStatus: 'unresponsive', status: 'busy' }]);
    expect((await json('fleet', 'status')).workers).toMatchObject([{ shownStatus: 'unresponsive' }]);
    expect((await project.run(['fleet', 'status'])).stdout).toMatch(
      / not responding, last heartbeat 4m(?:\d\ds)? ago /,
    );
    run.child.kill('SIGCONT');
    const isBack = ({ heartbeatAt }: Worker) => (heartbeatAt ?? 0) > Date.now() - 60_000;
    await until(async () => (await storedWorkers(storeOf(project))).some(isBack));
    expect((await json('worker', 'list')).workers).toMatchObject([{ shownStatus: 'busy' }]);
    run.child.kill('SIGTERM');
    await run.ended;
  }, 90_000);

  it('gives each attempt a work tree and a branch of its own', async () => {
    await using project = await testProject();
    const git = repository(project);
    const ids = await add(project, 'a', 'b');
    const { code, stderr } = await worker(project, '--worktrees', ...sh('echo "$STOPGATE_TASK_ID" > made.txt')).ended;
    expect(code, stderr).toBe(0);
    for (const id of ids) {
      const { task, attempts } = await show(project, id);
      expect(task.state).toBe('done');
      expect(git('show', `${attempts[0].details.branch}:made.txt`)).toBe(`${id}\n`);
    }
    expect(existsSync(path.join(project.dir, 'made.txt'))).toBe(false);
    expect(git('log', '--format=%s', 'main')).toBe('first\n');
  });

  it('lets our own agent write in its worktree while a definition of done holds it, and not in the gate', async () => {
    const writes = (file: string) => ({ name: 'Write', input: { file_path: file, content: 'made' } });
    const bash = (command: string) => ({ name: 'Bash', input: { command } });
    const steps = [
      [writes('made.txt'), bash('echo also > also.txt')],
      [writes('stopgate.config.json'), bash('echo x > ~/.stopgate/off')],
      [bash('stopgate task complete --result done')],
    ];
    let at = 0;
    await using project = await testProject(() => {
      const tools = steps[at++];
      return tools === undefined ? { text: 'Done.' } : { tools };
    });
    const git = repository(project);
    project.write('stopgate.config.json', '{"checks":[{"name":"made","command":"test -e made.txt"}]}');
    git('add', '.');
    git('-c', 'user.name=a', '-c', 'user.email=a@b', 'commit', '-qm', 'checks');
    const [id = ''] = await add(project, 'a');
    const run = ['worker', 'run', '--worktrees', '--idle-timeout', '1s', '--agent', 'stopgate', '--'];
    const env = { STOPGATE_TRUST_PROJECT: '1' };
    const { code, stderr } = await project.run([...run, '--permission-mode', 'bypassPermissions'], { env });
    expect(code, stderr).toBe(0);
    const { task, attempts } = await show(project, id);
    expect(task, stderr).toMatchObject({ state: 'done', result: 'done' });
    expect(git('show', '--format=', '--name-only', attempts[0].details.branch)).toBe('also.txt\nmade.txt\n');
    const told = JSON.stringify(project.server.seen.map(({ body }) => body.messages.at(-1)));
    expect(told.match(/decides when this agent may stop/g)).toHaveLength(2);
  });

  it('has the work on the branch although the agent settled its task and committed nothing, and takes the work tree away', async () => {
    await using project = await testProject();
    const git = repository(project);
    const [id = ''] = await add(project, 'a');
    const script = 'echo made > made.txt; stopgate task complete --result "by itself"';
    const { code, stderr } = await worker(project, '--worktrees', '--remove-worktrees', ...sh(script)).ended;
    expect(code, stderr).toBe(0);
    const { task, attempts } = await show(project, id);
    expect(task).toMatchObject({ state: 'done', result: 'by itself' });
    const { branch, worktree } = attempts[0].details;
    expect(git('show', `${branch}:made.txt`)).toBe('made\n');
    expect(stderr).toContain(`uncommitted work (1 file) is on branch ${branch}`);
    expect(stderr).toContain(`removed the worktree; branch ${branch} stays`);
    expect(existsSync(worktree)).toBe(false);
    expect(git('worktree', 'list').trim().split('\n')).toHaveLength(1);
  });

  it('hands its task back when it is told to end, with its work kept', async () => {
    await using project = await testProject();
    const git = repository(project);
    const [id = ''] = await add(project, 'long');
    const run = worker(project, '--drain-timeout', '1s', ...sh('echo half > half.txt; echo started; sleep 600'));
    await run.sees('started');
    run.child.kill('SIGTERM');
    const { code } = await run.ended;
    expect(code).toBe(0);
    const { task, attempts } = await show(project, id);
    expect(task).toMatchObject({ state: 'queued', failures: 0, reclaims: 0 });
    expect(attempts[0]).toMatchObject({ state: 'released', outcome: 'drained' });
    expect(git('show', `${attempts[0].details.wipRef}:half.txt`)).toBe('half\n');
  });

  it('completes the task of a command that finishes after it was told to end', async () => {
    await using project = await testProject();
    const [id = ''] = await add(project, 'short');
    const run = worker(project, '--drain-timeout', '60s', ...sh('echo started; until [ -e go ]; do sleep 0.05; done'));
    await run.sees('started');
    run.child.kill('SIGTERM');
    project.write('go', '');
    expect(await run.ended).toMatchObject({ code: 0 });
    expect((await show(project, id)).task).toMatchObject({ state: 'done', epoch: 1 });
  });

  it('keeps the work of a worker that was killed, and tells the next one where', async () => {
    await using project = await testProject();
    const git = repository(project);
    const [id = ''] = await add(project, 'long');
    const slow = sh(
      'case "$1" in *"earlier attempt"*) echo "$1";; *) echo half > half.txt; echo started; sleep 600;; esac',
    );
    const killed = project.start(['worker', 'run', '--slot', 'w', '--worktrees', ...slow]);
    await killed.sees('started');
    killed.child.kill('SIGKILL');
    await killed.ended;
    const { stdout, stderr } = await project.start([
      ...['worker', 'run', '--slot', 'w', '--idle-timeout', '25s', '--worktrees', ...slow],
    ]).ended;
    const branch = `sg/${id}/1`;
    expect(git('show', `${branch}:half.txt`), stderr).toBe('half\n');
    expect(stdout).toContain(`Its work: ${branch}`);
  }, 60_000);

  it('ends its agent when the task is cancelled', { timeout: 60_000 }, async () => {
    await using project = await testProject();
    const [id = ''] = await add(project, 'wrong');
    const run = project.start([
      'worker',
      'run',
      '--slot',
      'w',
      '--idle-timeout',
      '25s',
      ...sh('echo started; sleep 600'),
    ]);
    await run.sees('started');
    await project.run(['task', 'cancel', id]);
    await run.sees('the agent ended');
    run.child.kill('SIGTERM');
    expect((await run.ended).code).toBe(0);
    expect((await show(project, id)).task.state).toBe('cancelled');
  });

  it('lets the account rest when the provider refuses our own agent, and blames no task', async () => {
    const error = { status: 401, type: 'authentication_error', message: 'invalid x-api-key' };
    await using project = await testProject(() => ({ error }));
    const [id = ''] = await add(project, 'a task');
    const run = project.start(['worker', 'run', '--agent', 'stopgate', '--slot', 'w']);
    await run.sees('authentication failed; the account stopgate is paused for 10m');
    await run.sees('(authentication_failed, worker w)');
    run.child.kill('SIGTERM');
    expect((await run.ended).code).toBe(0);
    const { task, attempts } = await show(project, id);
    expect(task).toMatchObject({ state: 'queued', failures: 0 });
    expect(attempts).toMatchObject([{ state: 'released', outcome: 'unserved' }]);
    expect((await project.run(['task', 'claim', '--worker', 'x'])).code).toBe(0);
  });

  it('refuses to begin without its agent, and leaves the tasks alone', async () => {
    await using project = await testProject();
    const [id = ''] = await add(project, 'a task');
    project.write('agent.sh', '#!/bin/sh\nexit 0\n');
    const claude = { env: { STOPGATE_CLAUDE: 'no-such-claude' } };
    expect(await project.run(['worker', 'run'], claude)).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(/no-such-claude is not on the PATH; install Claude Code .*, or name another/),
    });
    const end = await worker(project, '--agent', './agent.sh').ended;
    expect(end).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('project/agent.sh is not an executable program'),
    });
    expect((await show(project, id)).task).toMatchObject({ state: 'queued', epoch: 0 });
  });

  it('starts the agent of a relative path from the folder of its command, in whatever folder it works', async () => {
    await using project = await testProject();
    repository(project);
    const [id = ''] = await add(project, 'a task');
    chmodSync(project.write('agents/do.sh', '#!/bin/sh\npwd > "$0.ran"\n'), 0o755);
    const cwd = path.join(project.dir, 'agents');
    const args = ['worker', 'run', '--slot', 'w', '--idle-timeout', '1s', '--worktrees', '--agent', './do.sh'];
    const { code, stderr } = await project.run(args, { cwd });
    expect(code, stderr).toBe(0);
    expect((await show(project, id)).task).toMatchObject({ state: 'done', epoch: 1 });
    expect(readFileSync(path.join(cwd, 'do.sh.ran'), 'utf8')).toContain('/worktrees/');
    const missing = await project.run([...args.slice(0, -1), '../do.sh'], { cwd });
    expect(missing).toMatchObject({ code: 2, stderr: expect.stringContaining('/do.sh is not an executable program') });
    const launched = await project.run(
      ['launch', '--time-budget', '1m', '--worktree', '--agent', './do.sh', '--', 'x'],
      { cwd },
    );
    expect(launched.stderr).not.toContain('Could not start');
  });

  it('does not take a slot whose worker lives', async () => {
    await using project = await testProject();
    await add(project, 'x');
    const first = project.start([
      'worker',
      'run',
      '--slot',
      'w',
      '--drain-timeout',
      '1s',
      ...sh('echo started; sleep 600'),
    ]);
    await first.sees('started');
    const { code, stderr } = await worker(project, ...sh('true')).ended;
    expect([code, stderr]).toEqual([
      1,
      expect.stringMatching(
        /another worker in the slot w still holds task \w+; end it, or choose another name with --slot/,
      ),
    ]);
    first.child.kill('SIGTERM');
    await first.ended;
  });

  it.each([
    [['--type', 'eager'], 'is not a kind of worker; use default, critical'],
    [['--idle-timeout', 'soon'], 'must be a duration'],
    [['--store', 'mysql://x'], 'is not a kind of store'],
  ])('refuses %o in a sentence', async (options, sentence) => {
    await using project = await testProject();
    const { code, stderr } = await project.run(['worker', 'run', ...options]);
    expect([code, stderr]).toEqual([2, expect.stringContaining(sentence)]);
  });
});
