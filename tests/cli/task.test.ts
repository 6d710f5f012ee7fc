import { execFile } from 'node:child_process';
import { existsSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { openStore } from '../../src/store/openStore.ts';
import { startPostgres } from '../support/postgresServer.ts';
import { BIN, type CommandEnd, type TestProject, testProject } from '../support/project.ts';
import { sampleOf, sizeOf } from '../support/testSize.ts';

async function ids(project: TestProject, args: readonly string[], input?: string): Promise<string[]> {
  const end = await project.run(['task', 'add', ...args], input === undefined ? {} : { input });
  expect(end).toMatchObject({ code: 0 });
  return end.stdout.trim().split('\n');
}

const list = async (project: TestProject, ...args: string[]) =>
  (await project.run(['task', 'list', '--json', '--limit', '100000', ...args])).lines[0];

const claim = async (project: TestProject, worker: string, ...args: string[]) =>
  (await project.run(['task', 'claim', '--json', '--worker', worker, ...args])).lines[0];

const sentence = ({ code, stderr }: CommandEnd) => [code, stderr.trim()];

describe.concurrent('task add and list', () => {
  it('adds one task with all its flags, once per key', async () => {
    await using project = await testProject();
    project.write('body.txt', 'all of it\n');
    const flags = ['--body', '@body.txt', '--priority', '5', '--type', 'test', '--queue', 'q', '--key', 'k'];
    const more = ['--delay', '10m', '--max-failures', '7', '--max-claims', '2', '--time-budget', '20m'];
    const [id = ''] = await ids(project, ['a title', ...flags, ...more]);
    expect(await ids(project, ['again', '--key', 'k'])).toEqual([id]);
    const { task } = (await project.run(['task', 'show', id.slice(0, 6), '--json'])).lines[0];
    expect(task).toMatchObject({ id, title: 'a title', body: 'all of it\n', priority: 5, type: 'test', queue: 'q' });
    expect(task).toMatchObject({
      status: 'delayed',
      maxFailures: 7,
      maxReclaims: 2,
      maxReleases: 2,
      timeBudgetMs: 1_200_000,
    });
  });

  it('adds a Markdown list in order, and reports what it skips', async () => {
    await using project = await testProject();
    const input = '# Plan\n- [ ] build (key: b)\n  with care\n- [x] old\n- test (after: b, old)\n';
    const end = await project.run(['task', 'add'], { input });
    expect(sentence(end)).toEqual([0, 'stopgate: Line 4 is marked as done, so it was skipped: old']);
    const [build, test] = end.stdout.trim().split('\n');
    const { tasks } = await list(project);
    expect(tasks).toMatchObject([
      { id: build, title: 'build', status: 'ready', body: expect.any(String) },
      { id: test, title: 'test', status: 'blocked' },
    ]);
  });

  it('adds none when one is invalid', async () => {
    await using project = await testProject();
    const input = '{"title":"a"}\n{"title":"b","after":["zzzz"]}\n';
    expect(sentence(await project.run(['task', 'add'], { input }))).toEqual([
      2,
      'stopgate: There is no task zzzz; `stopgate task list` shows the tasks.',
    ]);
    expect((await list(project)).tasks).toEqual([]);
  });

  it('shows derived states, and totals in the last line', async () => {
    await using project = await testProject();
    const [first = ''] = await ids(project, ['first']);
    await ids(project, ['second', '--after', first]);
    await ids(project, ['third', '--delay', '1h']);
    await ids(project, ['fourth', '--hold', 'not yet']);
    await project.run(['task', 'pause']);
    const { stdout } = await project.run(['task', 'list']);
    expect(stdout).toMatch(/paused .*first\n/);
    expect(stdout).toMatch(/blocked .*\[waits for 1\] second\n/);
    expect(stdout).toMatch(/held .*\[not yet\] fourth\n/);
    expect(stdout.trim().split('\n').at(-1)).toMatch(
      /^4 tasks: 1 ready, 1 delayed, 1 blocked, 1 held, next due in (1h|59m\d\ds)\.$/,
    );
    const end = await project.run(['task', 'claim']);
    expect(sentence(end)).toEqual([
      3,
      expect.stringMatching(
        /Nothing to claim: the queue is paused with 1 ready; 1 delayed, the next in .*; 1 blocked by other tasks; 1 held\.$/,
      ),
    ]);
  });

  it('adds thousands in one batch, all or nothing, even when it is killed', async () => {
    await using project = await testProject();
    const count = sizeOf({ small: 2_000, full: 5_000 });
    const lines = Array.from({ length: count }, (_, n) =>
      JSON.stringify({ title: `task ${n}`, body: 'x'.repeat(500) }),
    );
    const input = `${lines.join('\n')}\n`;
    await ids(project, ['one before']);
    const database = path.join(project.home, '.stopgate/stopgate.db');
    const before = logSize(database);
    for (let round = 0; round < sizeOf({ small: 1, full: 3 }); round++) {
      const running = project.start(['task', 'add'], { input });
      await grown(database, before, running.ended);
      running.child.kill('SIGKILL');
      await running.ended;
      expect(((await list(project)).tasks.length - 1) % count).toBe(0);
    }
    expect(await ids(project, [], input)).toHaveLength(count);
  });
});

const logSize = (database: string) => statSync(`${database}-wal`, { throwIfNoEntry: false })?.size ?? 0;

/** Resolves when rows are being written, or when it is over. */
async function grown(database: string, before: number, ended: Promise<unknown>): Promise<void> {
  let isOver = false;
  void ended.then(() => {
    isOver = true;
  });
  while (!isOver && logSize(database) <= before) await new Promise((soon) => setImmediate(soon));
}

/** As a coordinator would that saw the worker's process end. */
async function giveUp(project: TestProject, workerId: string): Promise<void> {
  const store = await openStore(path.join(project.home, '.stopgate/stopgate.db'));
  if ('type' in store) throw new Error(store.reason);
  await using open = store;
  await open.reap({ workerId, incarnation: 1, evidence: 'exited', staleAfterMs: 0, graceMs: 0 });
}

describe.concurrent('claim and settle', () => {
  it('prints a claimed task with commands that settle it', async () => {
    await using project = await testProject();
    await ids(project, ['do it', '--body', 'all of it']);
    const { stdout, code } = await project.run(['task', 'claim']);
    expect(code).toBe(0);
    expect(stdout).toMatch(/^Task \w{16} · epoch 1 · attempt 1\ndo it\n\nall of it\n/);
    const command = /done: stopgate (.*) --result/.exec(stdout)?.[1]?.split(' ') ?? [];
    const end = await project.run([...command, '--result', 'well done']);
    expect(end).toMatchObject({ code: 0, stdout: expect.stringMatching(/^Task \w+ is done\.\n$/) });
    expect((await list(project, '--state', 'done')).tasks).toMatchObject([{ status: 'done' }]);
  });

  it('completes a task and claims the next one from the queue and types of its worker', async () => {
    await using project = await testProject();
    const [first = ''] = await ids(project, ['first', '--queue', 'q', '--type', 'test']);
    const [second = ''] = await ids(project, ['second', '--queue', 'q', '--type', 'test']);
    await ids(project, ['elsewhere']);
    await ids(project, ['of another type', '--queue', 'q', '--type', 'build']);
    await claim(project, 'me', '--queue', 'q', '--type', 'test');
    const end = await project.run(['task', 'complete', first, '--worker', 'me', '--result', 'one', '--next']);
    expect(end).toMatchObject({ code: 0 });
    expect(end.stdout).toContain(`Task ${first} is done.\nTask ${second} · epoch 1 · attempt 1`);
    const last = await project.run(['task', 'complete', second, '--worker', 'me', '--next']);
    expect(sentence(last)).toEqual([3, 'stopgate: Nothing to claim: 1 of another type.']);
    expect(last.stdout).toBe(`Task ${second} is done.\n`);
    const [again = ''] = await ids(project, ['again', '--queue', 'q', '--type', 'test']);
    await claim(project, 'me', '--queue', 'q', '--type', 'test');
    const settled = (await project.run(['task', 'complete', again, '--worker', 'me', '--next', '--json'])).lines[0];
    expect(settled).toMatchObject({ type: 'accepted', taskState: 'done', taskId: again, next: { type: 'empty' } });
  });

  it('needs no epoch where the same process claimed, and only there', async () => {
    await using project = await testProject();
    const [id = ''] = await ids(project, ['do it']);
    await claim(project, 'another');
    const refused = await project.run(['task', 'complete', id]);
    expect(sentence(refused)).toEqual([2, expect.stringContaining('Add --epoch N')]);
    expect((await project.run(['task', 'release', id, '--worker', 'another'])).code).toBe(0);
    expect((await project.run(['task', 'claim'])).code).toBe(0);
    expect((await project.run(['task', 'complete', id])).code).toBe(0);
  });

  it.each(sampleOf(['sh', 'bash'], (shell) => shell === 'sh'))(
    'belongs to the script that claims, however its %s calls',
    async (shell) => {
      await using project = await testProject();
      const first = await ids(project, [], '- a\n- b\n');
      const command = `'${process.execPath}' '${BIN}'`;
      const script = `
      echo $$ > pid
      while task=$(${command} task claim --json); do
        echo "$task" >> claims
        id=$(echo "$task" | sed 's/.*"lease":{"taskId":"\\([a-z0-9]*\\)".*/\\1/')
        ${shell} -c "${command} task complete $id --result fine; true"
      done`;
      project.write('loop.sh', script);
      const env = { PATH: process.env.PATH, HOME: project.home };
      await promisify(execFile)(shell, ['loop.sh'], { cwd: project.dir, env });
      const [one, two] = project
        .read('claims')
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line));
      expect([one.lease.taskId, two.lease.taskId]).toEqual(first);
      expect(one.lease).toMatchObject({ workerId: two.lease.workerId, incarnation: two.lease.incarnation });
      const { workers } = (await project.run(['worker', 'list', '--json'])).lines[0];
      expect(workers).toMatchObject([{ pid: Number(project.read('pid')), shownStatus: 'gone' }]);
      expect((await list(project)).counts).toMatchObject({ done: 2 });
    },
  );

  it('takes task, epoch and attempt from the environment', async () => {
    await using project = await testProject();
    await ids(project, ['do it']);
    const { lease } = await claim(project, 'w');
    const env = { STOPGATE_TASK_ID: lease.taskId, STOPGATE_TASK_EPOCH: '1', STOPGATE_ATTEMPT_ID: lease.attemptId };
    expect((await project.run(['task', 'complete', '--result', '-'], { env, input: 'from a pipe' })).code).toBe(0);
    const shown = (await project.run(['task', 'show', lease.taskId, '--json'])).lines[0];
    expect(shown.task).toMatchObject({ status: 'done', result: 'from a pipe' });
  });

  it('refuses a superseded worker and keeps its late result', async () => {
    await using project = await testProject();
    const [id = ''] = await ids(project, ['do it']);
    const first = await claim(project, 'first');
    await project.run(['task', 'release', id, '--worker', 'first', '--reason', 'no time', '--note', 'half done']);
    const second = await claim(project, 'second');
    expect(second).toMatchObject({ lease: { epoch: 2 }, previous: { checkpoint: 'no time\n\nhalf done' } });
    const late = await project.run([
      'task',
      'complete',
      id,
      '--epoch',
      String(first.lease.epoch),
      '--result',
      'too late',
    ]);
    expect(sentence(late)).toEqual([
      4,
      expect.stringMatching(/already settled: it was released\. Your result is kept/),
    ]);
    const { stdout } = await project.run(['task', 'show', id]);
    expect(stdout).toMatch(/late result.*:\n\s+too late\n/);
    expect(stdout).toMatch(/notes for the next attempt.*:\n\s+no time\n\s*half done\n/);
    expect((await list(project, '--state', 'claimed')).tasks).toMatchObject([{ id, holder: 'second' }]);
  });

  it('reports that a claim was superseded, and by which epoch', async () => {
    await using project = await testProject();
    const [id = ''] = await ids(project, ['do it', '--max-claims', '5']);
    await claim(project, 'first');
    await giveUp(project, 'first');
    // a redrive ends its backoff
    await project.run(['task', 'cancel', id]);
    await project.run(['task', 'redrive', id]);
    expect(await claim(project, 'second')).toMatchObject({ lease: { epoch: 2 } });
    const end = await project.run(['task', 'complete', id, '--worker', 'first', '--result', 'late']);
    expect(sentence(end)).toEqual([
      4,
      expect.stringMatching(/\(epoch 1\) is superseded: it was claimed again \(epoch 2\), .* Your result is kept/),
    ]);
    expect((await list(project)).tasks).toMatchObject([{ status: 'claimed', holder: 'second', result: null }]);
  });

  it('reports that a claimed task was cancelled', async () => {
    await using project = await testProject();
    const [id = ''] = await ids(project, ['do it']);
    await claim(project, 'w');
    expect((await project.run(['task', 'cancel', id])).code).toBe(0);
    const end = await project.run(['task', 'complete', id, '--epoch', '1', '--result', 'x']);
    expect(sentence(end)).toEqual([4, expect.stringContaining('was cancelled. Your result is kept')]);
  });

  it('marks a task dead after its last failure, and requeues it on redrive', async () => {
    await using project = await testProject();
    const [id = ''] = await ids(project, ['do it', '--max-failures', '1']);
    await claim(project, 'w');
    const end = await project.run(['task', 'fail', id, '--epoch', '1', '--error', 'boom']);
    expect(end).toMatchObject({ code: 0, stdout: expect.stringContaining('is dead') });
    expect((await project.run(['task', 'list'])).stdout).toContain('[boom] do it');
    expect((await project.run(['task', 'redrive', id])).stdout).toBe(`Task ${id} is queued again.\n`);
    expect(await claim(project, 'w')).toMatchObject({ lease: { epoch: 2 }, previous: { error: 'boom' } });
  });

  it('waits for a task that another process adds', async () => {
    await using project = await testProject();
    await ids(project, ['other', '--type', 'other']);
    const waiting = project.start(['task', 'claim', '--type', 'wanted', '--wait', '20s', '--json']);
    const [id] = await ids(project, ['do it', '--type', 'wanted']);
    expect((await waiting.ended).lines[0]).toMatchObject({ type: 'claimed', lease: { taskId: id } });
  });

  it('gives each of two processes a task of its own', async () => {
    await using project = await testProject();
    await ids(project, [], '- a\n- b\n- c\n- d\n');
    const claimed = await Promise.all(['w1', 'w2', 'w3', 'w4', 'w5'].map((worker) => claim(project, worker)));
    const taken = claimed.flatMap((one) => (one.type === 'claimed' ? [one.lease.taskId] : []));
    expect(new Set(taken).size).toBe(4);
    expect(claimed.filter(({ type }) => type === 'empty')).toHaveLength(1);
  });

  it('changes nothing when one of several ids is none', async () => {
    await using project = await testProject();
    const [one = '', two = ''] = await ids(project, [], '- a\n- b\n');
    const end = await project.run(['task', 'hold', one, 'because']);
    expect(sentence(end)).toEqual([
      2,
      'stopgate: There is no task because; `stopgate task list` shows the tasks. Nothing was changed. A reason is given with --reason.',
    ]);
    expect((await list(project)).counts).toMatchObject({ ready: 2, held: 0 });
    expect((await project.run(['task', 'cancel', one, two])).code).toBe(0);
    // a task that cannot be changed does not stop the others
    const [three = ''] = await ids(project, ['c']);
    expect((await project.run(['task', 'hold', one, three])).code).toBe(1);
    expect((await list(project)).counts).toMatchObject({ cancelled: 2, held: 1 });
  });

  it('changes no schedule when one of several ids is none', async () => {
    await using project = await testProject();
    const added = await project.run(['task', 'add', 'x', '--every', '1h']);
    const id = added.stdout.trim().split('\n')[0] ?? '';
    expect((await project.run(['task', 'schedules', 'remove', id, 'zzzz'])).code).toBe(1);
    expect((await project.run(['task', 'schedules'])).stdout).toContain(id);
  });

  it('names a queue without tasks, and those that have some', async () => {
    await using project = await testProject();
    const textOf = async () => (await project.run(['task', 'list', '--queue', 'typo'])).stdout;
    expect(await textOf()).toBe('There are no tasks; `stopgate task add "title"` adds one.\n');
    await ids(project, ['a', '--queue', 'nightly']);
    await ids(project, ['b']);
    expect(await textOf()).toBe('The queue typo has no tasks; there are some in default, nightly.\n');
  });

  it('creates no folder for a store', async () => {
    await using project = await testProject();
    const folder = path.join(project.home, 'no', 'such');
    const place = path.join(folder, 'x.db');
    const args = ['--store', place];
    for (const words of [
      ['task', 'add', 'x'],
      ['task', 'list'],
      ['worker', 'run', '--agent', 'true'],
      ['fleet', 'up', '--agent', 'true'],
    ]) {
      const end = await project.run([...words, ...args]);
      expect(end).toMatchObject({ code: 2, stderr: expect.stringContaining(`No store at ${place}`) });
    }
    await ids(project, ['x']);
    expect((await project.run(['store', 'move', '--to', place, '--yes'])).code).toBe(2);
    expect(existsSync(path.dirname(folder))).toBe(false);
    // Stopgate's own folder
    const own = path.join(project.home, 'other', 'x.db');
    expect(
      (await project.run(['task', 'add', 'x', '--store', own], { env: { STOPGATE_HOME: path.dirname(own) } })).code,
    ).toBe(0);
  });

  it('warns of a base that neither the repository nor its remote has', async () => {
    await using project = await testProject();
    const git = (...args: string[]) => promisify(execFile)('git', args, { cwd: project.dir });
    await git('init', '-q', '-b', 'main');
    await git('-c', 'user.name=a', '-c', 'user.email=a@b', 'commit', '-q', '--allow-empty', '-m', 'first');
    await git('tag', 'v1');
    await git('remote', 'add', 'origin', 'https://git.example/a.git');
    const warned = async (base: string) => (await project.run(['task', 'add', 'x', '--base', base])).stderr;
    expect(await warned('nobranch')).toMatch(
      /No branch or tag nobranch is known here or, as of the last fetch, on https:.*no attempt can start/,
    );
    expect(await warned('a'.repeat(40))).toContain('No commit aaaaaaaaaaaa is known here');
    expect(await warned('v1')).toBe('');
    await git('update-ref', 'refs/remotes/origin/there', 'HEAD');
    expect(await warned('there')).toBe('');
  });

  it('warns of a queue without tasks that is paused or limited, with those that have some', async () => {
    await using project = await testProject();
    await ids(project, ['x', '--queue', 'nightly']);
    const why = 'stopgate: The queue nightl has no tasks; there are some in nightly.';
    for (const words of [
      ['task', 'pause', 'nightl'],
      ['task', 'limit', 'nightl', '2'],
      ['review', 'limit', '2', '--queue', 'nightl'],
    ])
      expect(sentence(await project.run(words))).toEqual([0, why]);
    expect(sentence(await project.run(['task', 'pause', 'nightly']))).toEqual([0, '']);
  });

  it('names a dead or cancelled task for which another waits in vain', async () => {
    await using project = await testProject();
    const [first = ''] = await ids(project, ['first']);
    await ids(project, ['second', '--after', first]);
    await project.run(['task', 'cancel', first]);
    const listed = await project.run(['task', 'list']);
    expect(listed.stdout).toContain(`[waits for ${first.slice(0, 8)}, which is cancelled] second`);
    expect((await list(project)).tasks[0]).toMatchObject({ stuckOn: { taskId: first, state: 'cancelled' } });
    expect(sentence(await project.run(['task', 'add', 'third', '--after', first]))).toEqual([
      0,
      `stopgate: Task ${first} is cancelled: what waits for it starts only after \`stopgate task retry ${first}\`.`,
    ]);
    await project.run(['task', 'retry', first]);
    expect((await project.run(['task', 'list'])).stdout).toContain('[waits for 1] second');
  });

  it('shows no time of a next try in the events of a dead task', async () => {
    await using project = await testProject();
    const [id = ''] = await ids(project, ['x', '--max-failures', '1']);
    await claim(project, 'w');
    await project.run(['task', 'fail', id, '--epoch', '1', '--error', 'no']);
    const { stdout } = await project.run(['task', 'show', id]);
    expect(stdout).toMatch(/task\.failed .*state dead/);
    expect(stdout).not.toContain(' later');
  });

  it('warns of a start in the past', async () => {
    await using project = await testProject();
    const end = await project.run(['task', 'add', 'late', '--at', '2020-01-01T00:00Z']);
    expect(sentence(end)).toEqual([0, 'stopgate: 2020-01-01T00:00Z is in the past, so the task "late" may start now.']);
    expect((await project.run(['task', 'add', 'later', '--at', '23:59'])).stderr).toBe('');
  });

  it('does not edit into a task what it could not be added with', async () => {
    await using project = await testProject();
    const [id = ''] = await ids(project, ['x']);
    const why = async (...args: string[]) => sentence(await project.run(['task', 'edit', id, ...args]));
    expect(await why('--base', 'main')).toEqual([
      2,
      `stopgate: --base needs a repository, and task ${id} has none; name it with --repo.`,
    ]);
    expect(await why('--judge', 'no stubs')).toEqual([2, expect.stringContaining('its project has no check')]);
    expect(await why('--queue', '')).toEqual([2, expect.stringContaining('--queue must not be empty')]);
    const [checked = ''] = await ids(project, ['y', '--verify', 'true']);
    expect((await project.run(['task', 'edit', checked, '--judge', 'no stubs'])).code).toBe(0);
  });

  const WRONG: readonly (readonly [readonly string[], unknown])[] = [
    [['claim', '--wait', 'soon'], '--wait must be a duration such as 30s, 10m or 1h30m, got "soon".'],
    [['complete'], 'Name the task: its id, as printed by `stopgate task claim`.'],
    [['complete', 'k3v'], "'k3v' is too short for a task id; write at least four characters of it."],
    [['complete', 'k3v9', '--epoch', 'x'], '--epoch must be a whole number above 0, got "x".'],
    [['fail', 'k3v9'], 'Give the reason with --error TEXT; the next attempt will see it.'],
    [['release', 'k3v9'], 'There is no task k3v9; `stopgate task list` shows the tasks.'],
    [['list', '--state', 'doen'], "There is no state 'doen'; did you mean done?"],
    [['list', '--store', 'nowhere.db'], expect.stringContaining('nowhere.db; check the path')],
    [['add'], 'Stdin is empty: pipe in a list of tasks, or give a title.'],
    [['add', 'x', '--queue', ''], '--queue must not be empty.'],
    [['add', 'x', '--key', ' '], '--key must not be empty.'],
    [['list', '--queue', ''], '--queue must not be empty.'],
    [['pause', ''], 'The queue has no name; `stopgate task list` shows the queues of tasks.'],
    [
      ['edit', 'k3v9', '--time-budget', '5m', '--without', 'time-budget'],
      '--time-budget and --without time-budget exclude each other; give one.',
    ],
    [['claim', '--worker', 'a b'], expect.stringContaining("'a b' is not a valid worker name")],
  ];
  /** One for each kind of mistake. */
  const SAMPLE = ['claim --wait soon', 'complete k3v', 'release k3v9', 'list --state doen', 'add', 'add x --queue '];
  it.each(sampleOf(WRONG, ([args]) => SAMPLE.includes(args.join(' '))))(
    'reports in one sentence what is wrong with task %j',
    async (args, expected) => {
      await using project = await testProject();
      const { code, stderr } = await project.run(['task', ...args]);
      expect({ code, message: stderr.replace(/^stopgate: /, '').trim() }).toEqual({ code: 2, message: expected });
    },
  );
});

describe.concurrent('TaskCompleted hooks', () => {
  const settings = (command: string) =>
    JSON.stringify({ hooks: { TaskCompleted: [{ hooks: [{ type: 'command', command }] }] } });
  const refuse = 'cat > seen.json; test -e tested || { echo "no tests were run" >&2; exit 2; }';

  it('keep a task open until they pass', async () => {
    await using project = await testProject();
    project.write('.claude/settings.json', settings(refuse));
    const env = { STOPGATE_TRUST_PROJECT: '1' };
    const [id = ''] = await ids(project, ['do it', '--body', 'all of it']);
    await claim(project, 'w');
    const args = ['task', 'complete', id, '--epoch', '1'];
    const kept = await project.run(args, { env });
    expect(sentence(kept)).toEqual([
      5,
      expect.stringMatching(/stays open\. TaskCompleted hook feedback:\n.*: no tests were run$/),
    ]);
    expect(JSON.parse(project.read('seen.json'))).toMatchObject({
      hook_event_name: 'TaskCompleted',
      task_id: id,
      task_subject: 'do it',
      task_description: 'all of it',
    });
    expect((await list(project)).tasks).toMatchObject([{ status: 'claimed' }]);
    project.write('tested', '');
    expect((await project.run(args, { env })).code).toBe(0);
  });

  it('do not run for an untrusted project, and a warning says so', async () => {
    await using project = await testProject();
    project.write('.claude/settings.json', settings(refuse));
    const [id = ''] = await ids(project, ['do it']);
    await claim(project, 'w');
    const end = await project.run(['task', 'complete', id, '--epoch', '1']);
    expect(sentence(end)).toEqual([0, expect.stringContaining('Hook not run: TaskCompleted')]);
    expect(existsSync(path.join(project.dir, 'seen.json'))).toBe(false);
  });
});

describe.concurrent('workers and stores', () => {
  it('lists the task of each worker', async () => {
    await using project = await testProject();
    await ids(project, ['do it']);
    const { lease } = await claim(project, 'w');
    const { workers } = (await project.run(['worker', 'list', '--json'])).lines[0];
    expect(workers).toMatchObject([{ id: 'w', shownStatus: 'busy', taskId: lease.taskId, pid: process.pid }]);
    expect((await project.run(['worker', 'list'])).stdout).toMatch(/^WORKER.*\nw#1 +manual +busy/);
  });

  it('waits until all tasks have ended', async () => {
    await using project = await testProject();
    const [id = ''] = await ids(project, ['do it']);
    await claim(project, 'w');
    expect((await project.run(['worker', 'wait', '--timeout', '1s'])).code).toBe(124);
    const unknown = async (...names: string[]) => {
      const { code, stderr } = await project.run(['worker', 'wait', ...names, '--timeout', '1s']);
      return [code, stderr];
    };
    expect(await unknown('nosuch')).toEqual([
      2,
      'stopgate: There is no worker nosuch; `stopgate worker list --all` lists them.\n',
    ]);
    const waiting = project.start(['worker', 'wait', '--tasks-done', '--timeout', '20s']);
    await project.run(['task', 'complete', id, '--epoch', '1']);
    expect(await waiting.ended).toMatchObject({ code: 0, stdout: 'All tasks have ended.\n' });
  });

  it('moves everything, and the old store reports where', async () => {
    await using project = await testProject();
    const [id = ''] = await ids(project, ['do it', '--body', 'all of it']);
    await claim(project, 'w');
    const to = path.join(project.dir, 'new.db');
    const dry = await project.run(['store', 'move', '--to', to, '--dry-run']);
    expect({ code: dry.code, made: existsSync(to) }).toEqual({ code: 0, made: false });
    expect((await project.run(['store', 'move', '--to', to])).code).toBe(2);
    expect(await project.run(['store', 'move', '--to', to, '--yes'])).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/^Moved 1 task .* generation 2; .* Claims are kept with their epochs \(1 task\)/),
    });
    expect((await project.run(['store', 'move', '--to', to, '--yes'])).stdout).toContain('was moved');
    expect(sentence(await project.run(['task', 'add', 'more']))).toEqual([
      69,
      expect.stringContaining(`have moved to ${to}`),
    ]);
    expect(JSON.parse((await project.run(['task', 'list', '--json'])).stdout).movedTo).toBe(to);
    for (const words of [
      ['task', 'list'],
      ['task', 'show', id],
      ['worker', 'list'],
      ['fleet', 'status'],
    ]) {
      const { code, stderr } = await project.run(words);
      expect([words, code, stderr]).toEqual([
        words,
        0,
        expect.stringMatching(/^stopgate: The tasks of .* have moved to .*new\.db; what follows/),
      ]);
    }
    expect((await project.run(['task', 'complete', id, '--epoch', '1', '--store', to])).code).toBe(0);
    expect((await project.run(['store', 'info', '--store', to])).stdout).toMatch(/generation 2[\s\S]*1 task: 1 done/);
  });

  it('starts nothing in a store that has moved, and names the new one in reports', async () => {
    await using project = await testProject();
    await ids(project, ['do it']);
    const to = path.join(project.dir, 'new.db');
    expect((await project.run(['store', 'move', '--to', to, '--yes'])).code).toBe(0);
    for (const words of [
      ['worker', 'run'],
      ['fleet', 'up'],
    ])
      expect(sentence(await project.run([...words, '--agent', 'true']))).toEqual([
        69,
        expect.stringMatching(`have moved to ${to}; start it there: stopgate ${words.join(' ')} --store ${to}$`),
      ]);
    for (const words of [['report'], ['account', 'list']])
      expect(sentence(await project.run(words))).toEqual([
        0,
        expect.stringContaining(`have moved to ${to}; what follows`),
      ]);
  });

  it('leaves the old store in use when a move is interrupted', async () => {
    await using project = await testProject();
    const count = sizeOf({ small: 2_000, full: 4_000 });
    const lines = Array.from({ length: count }, (_, n) => JSON.stringify({ title: `task ${n}` }));
    await ids(project, [], `${lines.join('\n')}\n`);
    const to = path.join(project.dir, 'new.db');
    const running = project.start(['store', 'move', '--to', to, '--yes']);
    await grown(to, 0, running.ended);
    running.child.kill('SIGINT');
    const { code } = await running.ended;
    // a signal that comes after the last row finds everything moved
    const inUse = code === 0 ? to : path.join(project.home, '.stopgate/stopgate.db');
    expect([0, 130]).toContain(code);
    expect((await project.run(['task', 'add', 'more', '--store', inUse])).code).toBe(0);
    expect((await list(project, '--store', inUse)).counts).toMatchObject({ ready: count + 1 });
  });

  it('moves all of it in a second try when the first was killed', async () => {
    await using project = await testProject();
    const count = sizeOf({ small: 2_000, full: 4_000 });
    const lines = Array.from({ length: count }, (_, n) =>
      JSON.stringify({ title: `task ${n}`, body: 'x'.repeat(500) }),
    );
    await ids(project, [], `${lines.join('\n')}\n`);
    const to = path.join(project.dir, 'new.db');
    const running = project.start(['store', 'move', '--to', to, '--yes']);
    await grown(to, 0, running.ended);
    running.child.kill('SIGKILL');
    await running.ended;
    expect((await project.run(['store', 'move', '--to', to, '--yes'])).code).toBe(0);
    expect((await list(project, '--store', to)).counts).toMatchObject({ ready: count });
  });
});

describe.concurrent('a claim', () => {
  it('loads neither Zod nor what starts processes', async () => {
    await using project = await testProject();
    await ids(project, ['one']);
    const file = path.join(project.dir, 'loaded.json');
    const modules = `[...process.moduleLoadList, ...Object.values(require.cache).map(({ filename }) => filename)]`;
    const probe = project.write(
      '../probe.cjs',
      `process.on('exit', () => require('node:fs').writeFileSync(process.env.PROBE_FILE, JSON.stringify(${modules})));`,
    );
    const env = { NODE_OPTIONS: `--require=${probe}`, PROBE_FILE: file };
    expect((await project.run(['task', 'claim', '--json'], { env })).code).toBe(0);
    const loaded: string[] = JSON.parse(readFileSync(file, 'utf8'));
    expect(loaded).toContain('NativeModule sqlite');
    expect(loaded.filter((name) => /child_process|perf_hooks|undici|zod|schemas/i.test(name))).toEqual([]);
  });

  it('explains itself', async () => {
    await using project = await testProject();
    const { code, stdout } = await project.run(['task', 'claim', '--help']);
    expect({ code, stdout }).toEqual({ code: 0, stdout: expect.stringContaining('Exit codes:') });
  });
});

describe('accounts', () => {
  it('can be paused and resumed, and are listed with the end of their pause', async () => {
    await using project = await testProject();
    const output = async (...args: string[]) => (await project.run(['account', ...args])).stdout;
    expect(await output('list')).toBe('No account has ever been paused.\n');
    expect(await output('pause', 'claude', '--for', '30m')).toMatch(
      /^claude is paused until .*\d\d:\d\d \((30m|29m\d\ds)\)\n$/,
    );
    // the later of the two counts
    expect(await output('pause', 'claude', '--for', '10m')).toMatch(/\((30m|29m\d\ds)\)\n$/);
    expect(await output('list')).toMatch(/^claude is paused until .*\): paused by /);
    const { accounts } = JSON.parse(await output('list', '--json'));
    expect(accounts).toMatchObject([{ key: 'claude', pausedUntil: expect.any(Number) }]);
    expect(JSON.parse(await output('resume', 'claude', '--json'))).toEqual({ key: 'claude', type: 'resumed' });
    expect(await output('resume', 'claude')).toBe('claude was not paused.\n');
    expect(await output('list')).toBe('claude is not paused\n');
  });

  it.each([
    [['pause', 'claude'], 'stopgate account pause needs --for <time>; `stopgate account pause --help` has examples.'],
    [['pause', 'claude', '--for', 'soon'], '--for must be a duration'],
    [['resume', ' '], 'The account has no name'],
    [['resum', 'x'], "unknown command 'resum'"],
  ])('refuses %j in a sentence', async (args, words) => {
    await using project = await testProject();
    expect(await project.run(['account', ...args])).toMatchObject({ code: 2, stderr: expect.stringContaining(words) });
  });
});

describe('PostgreSQL', () => {
  it('serves the same commands, takes what a file held, and shows no password', async () => {
    await using server = await startPostgres();
    await using project = await testProject();
    const { password } = new URL(server.url);
    const env = { STOPGATE_STORE: server.url };
    const [id = ''] = await ids(project, ['do it', '--body', 'all of it']);
    await claim(project, 'w');
    const ends: CommandEnd[] = [];
    const run = async (args: readonly string[], more = {}) => {
      const end = await project.run(args, more);
      ends.push(end);
      return end;
    };
    expect((await run(['store', 'move', '--to', server.url, '--dry-run'])).code).toBe(0);
    expect(await run(['store', 'move', '--to', server.url, '--yes'])).toMatchObject({ code: 0, stderr: '' });
    expect((await run(['store', 'move', '--to', server.url, '--yes'])).stdout).toContain('was moved');
    expect((await run(['task', 'add', 'more'])).code).toBe(69);
    expect((await run(['task', 'complete', id, '--epoch', '1', '--result', 'done'], { env })).code).toBe(0);
    expect((await run(['task', 'add'], { env, input: '- one\n- two (after: one)\n' })).code).toBe(0);
    expect((await run(['task', 'list'], { env })).stdout).toContain('3 tasks: 1 ready, 1 blocked, 1 done.');
    expect((await run(['task', 'claim', '--json'], { env })).lines[0]).toMatchObject({ task: { title: 'one' } });
    expect((await run(['task', 'show', id], { env })).stdout).toMatch(/Result\n {2}done/);
    expect((await run(['store', 'info'], { env })).stdout).toMatch(/PostgreSQL[\s\S]*generation 2/);
    expect((await run(['worker', 'list'], { env })).code).toBe(0);
    expect(ends.filter(({ stdout, stderr }) => `${stdout}${stderr}`.includes(password))).toEqual([]);
  });
});
