import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { openStore } from '../../src/store/openStore.ts';
import { until } from '../support/fleetProject.ts';
import { type TestProject, testProject } from '../support/project.ts';
import { storedState } from '../support/storedState.ts';
import { storedTask } from '../support/storedTask.ts';

// biome-ignore lint/suspicious/noExplicitAny: tests look into it freely
const json = async (project: TestProject, ...args: string[]): Promise<any> =>
  JSON.parse((await project.run([...args, '--json'])).stdout);
const show = (project: TestProject, id: string) => storedTask(path.join(project.home, '.stopgate/stopgate.db'), id);
const add = async (project: TestProject, ...args: string[]) =>
  (await project.run(['task', 'add', ...args])).stdout.trim();
const works = (project: TestProject, ...args: string[]) =>
  project.start(['worker', 'run', '--slot', 'w', '--idle-timeout', '2s', ...args]);

describe('budgets of a task', () => {
  it('end our own agent in the middle of its turn, and the task with a sentence', async () => {
    let requests = 0;
    await using project = await testProject(() => {
      requests += 1;
      return { tools: [{ name: 'Bash', input: { command: 'echo on' } }], usage: { out: 60 } };
    });
    const id = await add(project, 'endless', '--token-budget', '100');
    const { stderr } = await works(project, '--agent', 'stopgate').ended;
    const { task, attempts } = await show(project, id);
    expect(task, stderr).toMatchObject({ state: 'dead', tokenBudget: 100, epoch: 1 });
    expect(task.lastError).toMatch(/^Its budget is used up: /);
    expect(attempts[0].details.tokens).toBeGreaterThanOrEqual(100);
    expect(requests).toBeLessThanOrEqual(3);
    const { stdout } = await project.run(['task', 'show', id]);
    expect(stdout).toMatch(/Budget +\d+ of 100 tokens written/);
  }, 60_000);

  it('count what earlier attempts used, and start no agent when nothing is left', async () => {
    let requests = 0;
    await using project = await testProject(() => {
      requests += 1;
      return { text: 'All done.', usage: { out: 20 } };
    });
    const id = await add(project, 'spent', '--token-budget', '100');
    // an attempt by hand, whose cost is known only after it gave the task back
    const { lease } = await json(project, 'task', 'claim', '--worker', 'x');
    await project.run(['task', 'release', id, '--worker', 'x']);
    const store = await openStore(path.join(project.home, '.stopgate/stopgate.db'));
    if ('type' in store) throw new Error(store.reason);
    await store.heartbeat({ workerId: 'x', incarnation: lease.incarnation, lease, details: { tokens: 120 } });
    await store.close();
    const { stderr } = await works(project, '--agent', 'stopgate').ended;
    expect(requests).toBe(0);
    expect((await show(project, id)).task, stderr).toMatchObject({
      state: 'dead',
      epoch: 2,
      lastError: expect.stringContaining('Its budget is used up: 120 of 100 tokens, over all attempts.'),
    });
  }, 60_000);

  it('of all time together are not extended, and a plain command is ended at them', async () => {
    await using project = await testProject();
    const id = await add(project, 'slow', '--total-time', '2s');
    const script = "sh -c 'while :; do date +%N >> made.txt; sleep 0.1; done' sh";
    const run = works(project, '--agent', script);
    await until(() => storedState(project, id) === 'dead');
    run.child.kill('SIGTERM');
    const { stderr } = await run.ended;
    const { task, attempts } = await show(project, id);
    expect(attempts, stderr).toHaveLength(1);
    expect(task.lastError).toMatch(/^Its budget is used up: \ds of 2s, over all attempts\./);
  }, 60_000);

  it('say that the spending of a plain command cannot be read', async () => {
    await using project = await testProject();
    const id = await add(project, 'unknown', '--max-budget-usd', '2');
    const { stderr } = await works(project, '--agent', "sh -c 'true' sh").ended;
    expect(stderr).toContain(`the spending of sh cannot be read, so the budget of task ${id} is not enforced`);
    expect((await show(project, id)).task).toMatchObject({ state: 'done', costBudgetUsd: 2 });
  }, 60_000);
});

describe('stopgate task edit', () => {
  it('changes the text, place and budgets of an open task', async () => {
    await using project = await testProject();
    const id = await add(project, 'old', '--body', 'First.', '--token-budget', '5k');
    const flags = ['--title', 'new', '--note', 'the key moved', '--priority', '3', '--queue', 'q2'];
    const { stdout } = await project.run([
      'task',
      'edit',
      id,
      ...flags,
      '--total-time',
      '2h',
      '--max-budget-usd',
      '1.5',
    ]);
    expect(stdout).toBe(`Task ${id} is changed.\n`);
    await project.run(['task', 'edit', id, '--without', 'token-budget']);
    expect((await show(project, id)).task).toMatchObject({
      ...{ title: 'new', body: 'First.\n\nNote: the key moved', priority: 3, queue: 'q2' },
      ...{ totalTimeMs: 7_200_000, costBudgetUsd: 1.5, tokenBudget: null },
    });
    expect((await project.run(['task', 'edit', id])).stderr).toContain('Nothing to change: give --title');
    expect((await project.run(['task', 'edit', id, '--without', 'x'])).stderr).toContain(
      '--without names what to remove',
    );
    await project.run(['task', 'cancel', id]);
    const late = await project.run(['task', 'edit', id, '--priority', '1']);
    expect(late).toMatchObject({ code: 1, stderr: expect.stringContaining('cannot be changed: it is cancelled') });
  });
});

describe('--all', () => {
  it('changes every task that the filters name, after a dry run with a count', async () => {
    await using project = await testProject();
    const ids = await Promise.all(['a', 'b'].map((title) => add(project, title, '--queue', 'q')));
    const other = await add(project, 'c');
    const cancel = (...more: string[]) => project.run(['task', 'cancel', '--all', '--queue', 'q', ...more]);
    expect((await cancel('--dry-run')).stdout).toMatch(/^2 tasks would be cancelled: \w+, \w+\.\n$/);
    expect((await json(project, 'task', 'list', '--state', 'ready')).tasks).toHaveLength(3);
    expect((await cancel()).stdout).toBe('2 tasks are cancelled.\n');
    expect((await json(project, 'task', 'list', '--state', 'ready')).tasks).toMatchObject([{ id: other }]);
    const retry = await project.run(['task', 'retry', '--all', '--queue', 'q', '--state', 'cancelled']);
    expect(retry.stdout).toBe('2 tasks are queued again.\n');
    await json(project, 'task', 'claim', '--worker', 'x', '--queue', 'q');
    expect((await project.run(['task', 'release', '--all', '--queue', 'q'])).stdout).toBe('1 task is released.\n');
    expect((await json(project, 'task', 'list', '--queue', 'q', '--state', 'ready')).tasks).toHaveLength(2);
    expect((await project.run(['task', 'cancel'])).stderr).toContain('Name tasks by their ids, or give --all');
    expect((await project.run(['task', 'cancel', ids[0] ?? '', '--all'])).stderr).toContain('work without ids');
    const wrong = await project.run(['task', 'retry', '--all', '--state', 'ready']);
    expect(wrong.stderr).toContain('Tasks that are ready cannot be queued again; use --state dead,cancelled.');
  }, 60_000);

  it('changes only tasks with a key, or with one that begins so', async () => {
    await using project = await testProject();
    const [one, two] = [await add(project, 'a', '--key', 'night.1'), await add(project, 'b', '--key', 'night.2')];
    const [other, none] = [await add(project, 'c', '--key', 'nightly'), await add(project, 'd')];
    const cancel = (...more: string[]) => json(project, 'task', 'cancel', '--all', ...more);
    expect(await cancel('--dry-run', '--key', 'night.*')).toMatchObject({ type: 'dryRun', found: 2, ids: [one, two] });
    expect(await cancel('--dry-run', '--key', 'night')).toMatchObject({ found: 0, changed: 0 });
    expect(await cancel('--dry-run', '--key', 'nightly', '--key', '*.2')).toMatchObject({ ids: [two, other] });
    expect(await cancel('--key', 'night.1')).toMatchObject({ type: 'changed', changed: 1, ids: [one] });
    const open = (await json(project, 'task', 'list', '--state', 'ready')).tasks;
    expect(open.map(({ id }: { id: string }) => id)).toEqual([two, other, none]);
    const retried = await project.run(['task', 'retry', '--all', '--state', 'cancelled', '--key', 'night*']);
    expect(retried.stdout).toBe('1 task is queued again.\n');
    for (const change of ['cancel', 'hold'])
      expect((await project.run(['task', change, one, '--key', 'x'])).stderr).toContain('--key work without ids');
    await json(project, 'task', 'claim', '--worker', 'x', '--task', two);
    const mistyped = await project.run(['task', 'release', two, '--worker', 'x', '--dry-run']);
    expect(mistyped).toMatchObject({ code: 2, stderr: expect.stringContaining('--dry-run work with --all') });
    expect((await project.run(['task', 'release', '--all', '--key', 'nightly'])).stdout).toBe(
      '0 tasks are released.\n',
    );
    expect((await project.run(['task', 'release', '--all', '--key', 'night.2'])).stdout).toBe('1 task is released.\n');
  }, 60_000);
});
