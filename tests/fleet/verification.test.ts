import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { until } from '../support/fleetProject.ts';
import { type TestProject, testProject } from '../support/project.ts';
import { storedTask, verificationLapsed } from '../support/storedTask.ts';
import { sampleOf } from '../support/testSize.ts';

const TRUSTED = { STOPGATE_TRUST_PROJECT: '1' };
const NAMED = ['-c', 'user.name=a', '-c', 'user.email=a@b'];

function repository(project: TestProject, files: Readonly<Record<string, string>>) {
  const git = (...args: string[]) => execFileSync('git', args, { cwd: project.dir, encoding: 'utf8', stdio: 'pipe' });
  git('init', '-q', '-b', 'main');
  for (const [name, text] of Object.entries(files)) project.write(name, text);
  git('add', '.');
  git(...NAMED, 'commit', '-qm', 'first');
  return git;
}

const place = (project: TestProject) => ({ env: { STOPGATE_STORE: path.join(project.home, 'tasks.db') } });
const add = async (project: TestProject, ...options: string[]) => {
  const { stdout, stderr, code } = await project.run(
    ['task', 'add', 'work', '--max-failures', '1', ...options],
    place(project),
  );
  expect(code, stderr).toBe(0);
  return stdout.trim();
};
const show = (project: TestProject, id: string) => storedTask(place(project).env.STOPGATE_STORE, id);
const startWorker = (project: TestProject, slot: string, script: string, ...options: string[]) =>
  project.start(
    ['worker', 'run', '--slot', slot, '--idle-timeout', '1s', '--agent', `sh -c '${script}' sh`, ...options],
    place(project),
  );
const work = async (project: TestProject, script: string, ...options: string[]) => {
  const { code, stderr } = await startWorker(project, 'w', script, ...options).ended;
  expect(code, stderr).toBe(0);
  return stderr;
};
const checkouts = (project: TestProject) => {
  const folder = path.join(project.home, 'verify');
  return existsSync(folder) ? readdirSync(folder) : [];
};

// most of their time is waiting
describe('a completed task is verified by someone else', { concurrent: true }, () => {
  const ENDS = [
    ['its exit code', ''],
    ['task complete', '; stopgate task complete $STOPGATE_TASK_ID --epoch $STOPGATE_TASK_EPOCH'],
  ] as const;
  it.each(sampleOf(ENDS, ([end]) => end === 'task complete'))(
    'leaves a receipt of what an attempt without verification committed that ended by %s',
    async (_, end) => {
      await using project = await testProject();
      const git = repository(project, { 'stopgate.config.json': '{"checks":[{"name":"c","command":"true"}]}' });
      await project.run(['trust', '--yes']);
      const id = await add(project, '--no-verify');
      const commit = 'git add -A; git -c user.name=a -c user.email=a@b commit -qm work';
      await work(project, `echo x > one; echo y > two; ${commit}${end}`, '--worktrees');
      const { code, stdout, stderr } = await project.run(['receipt', id, '--json'], place(project));
      expect(code, stderr).toBe(0);
      const { tree } = JSON.parse(stdout).receipt;
      expect(tree).toMatchObject({ startCommit: git('rev-parse', 'main').trim(), files: ['one', 'two'], fileCount: 2 });
    },
  );

  it('is done with a receipt that names commit, tree, checks and verifier', async () => {
    await using project = await testProject();
    const git = repository(project, {
      'stopgate.config.json': '{"checks":[{"name":"made","command":"test -e made"}]}',
    });
    await project.run(['trust', '--yes']);
    const id = await add(project);
    const stderr = await work(project, 'echo x > made', '--worktrees');
    const { task, attempts } = await show(project, id);
    expect(task, stderr).toMatchObject({ state: 'done', verify: null });
    const { verifiedCommit, verifiedTree, verifiedBy, receipt, branch, headCommit } = attempts[0].details;
    expect([verifiedCommit, verifiedBy]).toEqual([headCommit, 'w']);
    expect(git('rev-parse', branch).trim()).toBe(verifiedCommit);
    expect(git('rev-parse', `${verifiedCommit}^{tree}`).trim()).toBe(verifiedTree);
    const signed = JSON.parse(readFileSync(receipt, 'utf8'));
    expect(signed.receipt).toMatchObject({
      ...{ session: `verify-${id}-1`, agent: 'verifier', worker: 'w', outcome: 'passed', isProven: true },
      checks: [{ name: 'made', outcome: 'passed', exitCode: 0 }],
      tree: { head: verifiedCommit, digest: verifiedTree, files: ['made'] },
    });
    const verified = await project.run(['receipt', 'verify', receipt]);
    expect([verified.code, verified.stdout]).toEqual([0, expect.stringMatching(/^Valid/)]);
    expect((await project.run(['receipt', id, '--json'], place(project))).stdout).toBe(readFileSync(receipt, 'utf8'));
    const page = (await project.run(['task', 'show', id], place(project))).stdout;
    expect(page).toMatch(/Proof +commit [0-9a-f]{12} verified by w/);
    expect([checkouts(project), git('worktree', 'list').includes('/verify/')]).toEqual([[], false]);
  });

  const LIES: readonly (readonly [string, string, readonly string[], string])[] = [
    [
      'edited the script of the command',
      'printf "exit 0" > check.sh',
      ['--verify', 'sh check.sh'],
      'sh check.sh exited 1',
    ],
    ['left the needed file where git ignores it', 'touch ignored.txt', ['--verify', 'test -e ignored.txt'], 'exited 1'],
    ['hid it in an ignored folder', 'mkdir out && touch out/x', ['--verify', 'test -e out/x'], 'exited 1'],
    [
      'left the failing file out of checkouts',
      'touch red; git config core.sparseCheckout true; (echo "/*"; echo "!/red") > .git/info/sparse-checkout',
      ['--verify', 'test ! -e red'],
      'exited 1',
    ],
    [
      'had git change line ends',
      'echo BAD > code; git config core.autocrlf true; git config core.eol crlf',
      ['--verify', '! grep -qx BAD code'],
      'exited 1',
    ],
    ['edited the script in package.json', 'echo {} > package.json', ['--verify', 'npm run -s prove'], 'exited 1'],
  ];
  it.each(sampleOf(LIES, ([what]) => /the command|git ignores/.test(what)))(
    'of an agent that %s is not done',
    async (_name, script, options, why) => {
      await using project = await testProject();
      repository(project, {
        'check.sh': 'exit 1\n',
        'package.json': '{"scripts":{"prove":"exit 1"}}',
        '.gitignore': 'ignored.txt\nout/\n',
      });
      const id = await add(project, ...options);
      await work(project, `${script}; echo all done`);
      const { task, attempts } = await show(project, id);
      expect(task).toMatchObject({ state: 'dead', failures: 1, lastError: expect.stringContaining(why) });
      expect(task.lastError).toMatch(/^Verification failed in a clean checkout of [0-9a-f]{12}: /);
      expect(attempts[0]).toMatchObject({ state: 'failed', outcome: 'rejected', countsAsFailure: true });
      expect(attempts[0].checkpoint).toContain('without files that git ignores');
    },
  );

  const REWRITTEN = [
    ['in worktrees', ['--worktrees'], ['--verify', 'sh check.sh'], {}],
    ['in place', [], ['--verify', 'sh check.sh'], {}],
    ['by a definition of done in a folder that is trusted as a whole', ['--worktrees'], [], TRUSTED],
  ] as const;
  it.each(sampleOf(REWRITTEN, ([where]) => where === 'in worktrees'))(
    'whose script an earlier attempt rewrote is not done: %s',
    async (_name, options, verify, env) => {
      await using project = await testProject();
      const done = '{"checks":[{"command":"sh check.sh"}]}';
      repository(project, { 'check.sh': 'exit 1\n', ...(env === TRUSTED && { 'stopgate.config.json': done }) });
      const id = await add(project, '--max-failures', '2', ...verify);
      const commit = 'git -c user.name=a -c user.email=a@b commit -qam easy';
      const script = `if [ $STOPGATE_TASK_EPOCH = 1 ]; then echo "exit 0" > check.sh; ${commit}; exit 3; fi; touch made`;
      const run = [
        'worker',
        'run',
        '--slot',
        'w',
        '--idle-timeout',
        '30s',
        '--agent',
        `sh -c '${script}' sh`,
        ...options,
      ];
      const { code, stderr } = await project.run(run, { env: { ...place(project).env, ...env } });
      expect(code, stderr).toBe(0);
      const { task, attempts } = await show(project, id);
      expect(attempts.map(({ outcome }) => outcome)).toEqual(['failed', 'rejected']);
      expect(task).toMatchObject({ state: 'dead', lastError: expect.stringContaining('sh check.sh exited 1') });
    },
    120_000,
  );

  it('by a definition of done that the agent rewrote is not done', async () => {
    await using project = await testProject();
    repository(project, {
      'stopgate.config.json': '{"checks":[{"name":"real","command":"cat answer; grep -qx 42 answer"}]}',
      '.gitignore': 'answer\n',
    });
    await project.run(['trust', '--yes']);
    const id = await add(project);
    await work(project, 'echo 42 > answer; echo "{\\"checks\\":[{\\"command\\":\\"true\\"}]}" > stopgate.config.json');
    const { task, attempts } = await show(project, id);
    expect(task).toMatchObject({ state: 'dead', lastError: expect.stringContaining('real exited ') });
    expect(attempts[0].checkpoint).toContain('cat: answer: No such file');
    const receipt = JSON.parse(readFileSync(attempts[0].details.receipt, 'utf8'));
    expect(receipt.receipt).toMatchObject({ outcome: 'blocked', isProven: false });
  });

  it('with its work on its branch and an older commit checked out is verified with its work', async () => {
    await using project = await testProject();
    repository(project, { 'check.sh': 'test ! -e red\n' });
    const id = await add(project, '--verify', 'sh check.sh');
    const commit = 'git -c user.name=a -c user.email=a@b commit -qm red';
    const said = await work(
      project,
      `touch red; git add red; ${commit}; git checkout -q --detach HEAD~1`,
      '--worktrees',
    );
    const { task } = await show(project, id);
    expect(task, said).toMatchObject({ state: 'dead', lastError: expect.stringContaining('sh check.sh exited 1') });
  });

  it('in a worktree whose git folder the agent replaced is not done', async () => {
    await using project = await testProject();
    repository(project, { 'check.sh': 'test ! -e red\n' });
    const id = await add(project, '--verify', 'sh check.sh');
    const commit = 'git -c user.name=a -c user.email=a@b commit -qm';
    const end = 'rm -f .git red; git init -q; git add .';
    const said = await work(project, `touch red; git add red; ${commit} red; ${end}; ${commit} other`, '--worktrees');
    const { task, attempts } = await show(project, id);
    expect(task, said).toMatchObject({ state: 'dead', lastError: expect.stringContaining('Its work is in no commit') });
    expect(attempts).toMatchObject([{ state: 'failed', outcome: 'rejected' }]);
  });

  const OWN = [
    ['is not done', ['--verify', 'sh check.sh'], 'dead'],
    ['lands nowhere', ['--no-verify'], 'done'],
  ] as const;
  it.each(sampleOf(OWN, ([what]) => what === 'is not done'))(
    'in a repository that its agent made in its worktree %s',
    async (_name, options, state) => {
      await using project = await testProject();
      repository(project, { 'check.sh': 'test ! -e red\n' });
      const id = await add(project, ...options);
      const commit = 'git -c user.name=a -c user.email=a@b commit -qm';
      const facts = 'G=$(git rev-parse --path-format=absolute --git-common-dir); H=$(git rev-parse HEAD)';
      const own = 'rm .git; git init -q -b main; echo $G/objects > .git/objects/info/alternates';
      const green = `git update-ref refs/heads/main $H; git reset -q; touch green; git add -A; ${commit} green`;
      const said = await work(
        project,
        `${facts}; touch red; git add red; ${commit} red; rm red; ${own}; ${green}`,
        '--worktrees',
      );
      const { task } = await show(project, id);
      expect(task.state, said).toBe(state);
      if (state === 'dead') expect(task.lastError).toMatch(/is not in the repository of its task/);
      const accepted = await project.run(['review', 'accept', id], place(project));
      expect([accepted.code === 0, accepted.stdout], accepted.stderr).toEqual([false, '']);
    },
  );

  it('goes back to the queue with the failing part as notes, and the next attempt can mend it', async () => {
    await using project = await testProject();
    repository(project, { 'prompts/.keep': '', '.gitignore': 'answer\n' });
    const id = await add(project, '--max-failures', '2', '--verify', 'cat answer');
    const script = 'case "$1" in *"No such file"*) rm .gitignore;; *) echo 42 > answer;; esac';
    await work(project, script, '--idle-timeout', '30s');
    const { task, attempts } = await show(project, id);
    expect(attempts[0]).toMatchObject({ state: 'failed', outcome: 'rejected' });
    expect(task).toMatchObject({ state: 'done', failures: 1, result: '' });
  }, 120_000);

  it('is done at once with --no-verify, of the task or of the worker', async () => {
    await using project = await testProject();
    repository(project, { 'stopgate.config.json': '{"checks":[{"command":"true"}]}' });
    await project.run(['trust', '--yes']);
    const one = await add(project, '--no-verify');
    const first = await work(project, 'true');
    const two = await add(project);
    const second = await work(project, 'true', '--no-verify');
    for (const id of [one, two]) {
      const { task, attempts } = await show(project, id);
      expect([task.state, attempts[0].details.verifiedBy]).toEqual(['done', undefined]);
    }
    expect(`${first}${second}`).not.toContain('verifying task');
  });

  it('with a command that hangs is rejected with its timeout', async () => {
    await using project = await testProject();
    // passes in a plain repository, and hangs in a worktree
    const slow = '{"checks":[{"name":"slow","command":"[ -e .git/HEAD ] || sleep 600","timeout":1}]}';
    repository(project, { 'stopgate.config.json': slow });
    await project.run(['trust', '--yes']);
    const id = await add(project);
    await work(project, 'true');
    const { task } = await show(project, id);
    expect(task).toMatchObject({
      state: 'dead',
      lastError: expect.stringContaining('slow did not end within 1s and was ended'),
    });
  });

  it('without git is verified in a copy of its folder, and says so', async () => {
    await using project = await testProject();
    const id = await add(project, '--verify', 'test -e made');
    await work(project, 'touch made; mkfifo pipe');
    const shown = await project.run(['task', 'show', id, '--json'], place(project));
    const { task, events } = JSON.parse(shown.stdout);
    expect(task.state).toBe('done');
    // biome-ignore lint/suspicious/noExplicitAny: tests look into it freely
    const verified = events.find((one: any) => one.kind === 'task.verified');
    expect(verified.data.reason).toMatch(/^Verified in its folder, as it was \(there is no commit of it\)/);
  });

  it('goes to another verifier when the first one is killed, and the verdict of the first one does not count', async () => {
    await using project = await testProject();
    repository(project, { 'check.sh': 'echo $$ >> "$MARK"; [ -e "$MARK.go" ] || sleep 600\n' });
    const mark = path.join(project.home, 'mark');
    const env = { ...place(project).env, MARK: mark };
    const id = await add(project, '--verify', 'sh check.sh');
    const run = (slot: string) =>
      project.start(['worker', 'run', '--slot', slot, '--idle-timeout', '1s', '--agent', 'true'], { env });
    const first = run('first');
    await until(() => existsSync(mark));
    const listed = (await project.run(['task', 'list'], place(project))).stdout;
    expect(listed).toMatch(/verifying .*by first for/);
    const { task: before } = await show(project, id);
    first.child.kill('SIGKILL');
    await first.ended;
    project.write(path.relative(project.dir, `${mark}.go`), '');
    await verificationLapsed(place(project).env.STOPGATE_STORE, id);
    const page = (await project.run(['fleet', 'status'], place(project))).stdout;
    expect(page).toContain('1 waits for a verifier');
    expect((await project.run(['task', 'show', id], place(project))).stdout).toMatch(
      /waits for a verifier .*first is gone/,
    );
    const second = await run('second').ended;
    expect(second.code, second.stderr).toBe(0);
    const { task, attempts } = await show(project, id);
    expect(before.verifyHolder).toBe('first');
    expect([task.state, attempts[0].details.verifiedBy]).toEqual(['done', 'second']);
    expect(checkouts(project)).toEqual([]);
  }, 120_000);

  it('of a verifier that was replaced while it stood still keeps the verdict of the other one', async () => {
    await using project = await testProject();
    const script = 'echo $$ >> "$MARK"; while [ ! -e "$MARK.go" ]; do sleep 0.1; done; [ -e "$MARK.second" ]\n';
    repository(project, { 'check.sh': script });
    const mark = path.join(project.home, 'mark');
    const run = (slot: string) =>
      project.start(['worker', 'run', '--slot', slot, '--idle-timeout', '1s', '--agent', 'true'], {
        env: { ...place(project).env, MARK: mark },
      });
    const id = await add(project, '--verify', 'sh check.sh');
    const first = run('first');
    await until(() => existsSync(mark));
    first.child.kill('SIGSTOP');
    await verificationLapsed(place(project).env.STOPGATE_STORE, id);
    for (const name of ['second', 'go']) project.write(path.relative(project.dir, `${mark}.${name}`), '');
    const second = await run('second').ended;
    expect((await show(project, id)).task.state, second.stderr).toBe('done');
    first.child.kill('SIGCONT');
    const { stderr } = await first.ended;
    expect(stderr).toMatch(
      /does not count: the task was cancelled, or another verifier has it|given up: it was cancelled/,
    );
    const { task, attempts } = await show(project, id);
    expect([task.state, attempts[0].details.verifiedBy, task.failures]).toEqual(['done', 'second', 0]);
  }, 120_000);

  it('is that of an agent of its own where each has a worktree, also if the one before asks for it', async () => {
    await using project = await testProject();
    repository(project, { 'a.txt': 'a' });
    const told = path.join(project.home, 'told');
    const ids = [await add(project, '--verify', 'test -e work-1'), await add(project, '--verify', 'test -e work-1')];
    const done = 'touch work-$STOPGATE_TASK_EPOCH';
    await work(project, `${done}; stopgate task complete --next >> ${told} 2>&1; true`, '--worktrees');
    for (const id of ids)
      expect((await show(project, id)).attempts).toMatchObject([
        { state: 'succeeded', details: { branch: `sg/${id}/1` } },
      ]);
    expect(readFileSync(told, 'utf8').match(/works in a worktree of its task: leave --next out/g)).toHaveLength(2);
  });

  it('refuses an agent that wants to decide how a task is verified', async () => {
    await using project = await testProject();
    repository(project, { 'a.txt': 'a' });
    const id = await add(project);
    await work(
      project,
      [
        ...['--verify true', '--no-verify', '--judge good'].map((how) => `stopgate task add more ${how} >> told 2>&1`),
        'true',
      ].join('; '),
    );
    expect((await show(project, id)).task.state).toBe('done');
    expect(
      readFileSync(path.join(project.dir, 'told'), 'utf8').match(/may not decide how a task is verified/g),
    ).toHaveLength(3);
  });
});
