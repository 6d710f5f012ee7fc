import { existsSync, readdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { testFiles } from '../../../tests/store/support/sqliteStores.ts';
import { gitRepository } from '../../../tests/support/gitRepository.ts';
import type { Requests, Store } from '../../store/types.ts';
import { addOne, claim, type TestWorker, worker } from '../../testing/storeContract/steps.ts';
import type { PruneReport } from './runPrune.ts';
import { type PruneRun, runPrune } from './runPrune.ts';

const DAY_MS = 86_400_000;
const START = Date.UTC(2026, 0, 1);

async function ground() {
  const closing = new AsyncDisposableStack();
  const files = closing.use(await testFiles('memory', START));
  const repository = closing.use(await gitRepository());
  const store = await files.open('a');
  const by = await worker(store);
  const { git } = repository;
  const home = path.join(repository.beside, '.stopgate');
  const run = (more: Partial<PruneRun> = {}) =>
    runPrune({
      ...{ store, git: repository.hardened, cwd: repository.path, stopgateHome: home, now: files.clock.now() },
      ...{ wish: { olderThanMs: DAY_MS }, unmerged: false, dryRun: false, actor: 'test', isPolicy: false, ...more },
    });
  return {
    ...{ store, home, git, run, clock: files.clock },
    /** A task that is done, with a worktree on a merged branch. */
    done: (id: string, more: Partial<Requests['complete']['details']> = {}, queue = 'default') =>
      doneTask({ store, by, git, home }, id, { queue, more }),
    refs: () => git('for-each-ref', '--format=%(refname:short)', 'refs/heads/sg').trim().split('\n').filter(Boolean),
    notes: () => (existsSync(path.join(home, 'pruned')) ? readdirSync(path.join(home, 'pruned')) : []),
    [Symbol.asyncDispose]: () => closing.disposeAsync(),
  };
}

interface Place {
  readonly store: Store;
  readonly by: TestWorker;
  readonly git: (...args: string[]) => string;
  readonly home: string;
}

interface Doing {
  readonly queue: string;
  readonly more: Partial<Requests['complete']['details']>;
}

async function doneTask({ store, by, git, home }: Place, id: string, { queue, more }: Doing): Promise<string> {
  await addOne(store, { id, title: id, queue });
  const { lease } = await claim(store, by, { queue });
  const worktree = path.join(home, 'worktrees', `repository-${id}-1`);
  git('worktree', 'add', '--quiet', '-b', `sg/${id}/1`, worktree);
  const head = git('rev-parse', 'HEAD').trim();
  const details = { branch: `sg/${id}/1`, worktree, baseCommit: head, headCommit: head, ...more };
  await store.complete({ lease, result: 'x', details });
  return worktree;
}

const namesOf = (report: Awaited<ReturnType<typeof runPrune>>) => ({
  tasks: (report as PruneReport).tasks.map(({ id }) => id),
  files: (report as PruneReport).files.remove.map(({ name }) => path.basename(name)),
});

describe('a prune of a store and of what its tasks left', () => {
  it('touches nothing of tasks that stay: work in review, other queues, those kept, young ones', async () => {
    await using on = await ground();
    await on.done('gone');
    // merged here already, but a person has not accepted it
    const waiting = await on.done('waiting', { baseCommit: 'b', headCommit: 'h' });
    const queued = await on.done('queued', {}, 'other');
    await on.clock.advance(1);
    const newest = await on.done('newest');
    await on.clock.advance(2 * DAY_MS);
    const young = await on.done('young');
    await addOne(on.store, 'last');
    const wish = { olderThanMs: DAY_MS, queue: 'default', keep: 1 };
    const dry = await on.run({ wish, dryRun: true });
    expect(on.refs()).toHaveLength(5);
    expect(on.notes()).toEqual([]);
    const real = await on.run({ wish });
    expect(namesOf(real)).toEqual({ tasks: ['gone'], files: ['repository-gone-1', '1'] });
    expect(namesOf(real)).toEqual(namesOf(dry));
    expect(on.refs()).toEqual(['newest', 'queued', 'waiting', 'young'].map((id) => `sg/${id}/1`));
    expect([waiting, queued, newest, young].every((folder) => existsSync(folder))).toBe(true);
    expect(on.notes()).toEqual([]);
    expect(namesOf(await on.run({ wish }))).toEqual({ tasks: [], files: [] });
  });

  it('that is killed after the store forgot the tasks is finished by the next one', async () => {
    await using on = await ground();
    const folder = await on.done('task');
    await addOne(on.store, 'last');
    await on.clock.advance(2 * DAY_MS);
    const killed: Store = { ...on.store, notePruned: () => Promise.reject(new Error('killed')) };
    await expect(on.run({ store: killed })).rejects.toThrow('killed');
    expect((await on.store.task({ id: 'task' })).type).toBe('unknownTask');
    expect(existsSync(folder)).toBe(true);
    expect(namesOf(await on.run({ dryRun: true })).files).toEqual(['repository-task-1', '1']);
    expect(namesOf(await on.run())).toEqual({ tasks: [], files: ['repository-task-1', '1'] });
    expect(on.refs()).toEqual([]);
    expect(on.notes()).toEqual([]);
  });

  it('that is killed before the store forgot them leaves everything of tasks that go on', async () => {
    await using on = await ground();
    const folder = await on.done('task');
    await addOne(on.store, 'last');
    await on.clock.advance(2 * DAY_MS);
    const killed: Store = { ...on.store, prune: () => Promise.reject(new Error('killed')) };
    await expect(on.run({ store: killed })).rejects.toThrow('killed');
    expect(namesOf(await on.run({ wish: { olderThanMs: 9 * DAY_MS } }))).toEqual({ tasks: [], files: [] });
    expect(existsSync(folder)).toBe(true);
    expect(namesOf(await on.run())).toEqual({ tasks: ['task'], files: ['repository-task-1', '1'] });
    expect(on.notes()).toEqual([]);
  });

  it('keeps what would be lost, and removes it later by --unmerged or from its own repository', async () => {
    await using on = await ground();
    const folder = await on.done('task');
    await addOne(on.store, 'last');
    writeFileSync(path.join(folder, 'new.txt'), 'new\n');
    await on.clock.advance(2 * DAY_MS);
    const first = await on.run({ cwd: on.home });
    expect(namesOf(first)).toEqual({ tasks: ['task'], files: [] });
    expect(namesOf(await on.run())).toEqual({ tasks: [], files: [] });
    expect(on.notes()).toHaveLength(1);
    expect(namesOf(await on.run({ unmerged: true })).files).toEqual(['repository-task-1', '1']);
    expect(on.git('show', 'refs/stopgate/wip/repository-task-1:new.txt')).toBe('new\n');
    expect(on.notes()).toEqual([]);
  });

  it('leaves alone what a new task of the same id may have made', async () => {
    await using on = await ground();
    const folder = await on.done('task');
    await addOne(on.store, 'last');
    await on.clock.advance(2 * DAY_MS);
    const reusing: Store = {
      ...on.store,
      notePruned: async (request) => {
        await addOne(on.store, { id: 'task', title: 'again' });
        return on.store.notePruned(request);
      },
    };
    expect(namesOf(await on.run({ store: reusing }))).toEqual({ tasks: ['task'], files: [] });
    expect(namesOf(await on.run())).toEqual({ tasks: [], files: [] });
    expect(existsSync(folder)).toBe(true);
    expect(on.refs()).toEqual(['sg/task/1']);
  });

  it('removes nothing when it cannot note what it is about to forget', async () => {
    await using on = await ground();
    const folder = await on.done('task');
    await addOne(on.store, 'last');
    await on.clock.advance(2 * DAY_MS);
    writeFileSync(path.join(on.home, 'pruned'), 'a file in the place of the folder');
    const end = await on.run();
    expect(end).toMatchObject({ type: 'notNoted', reason: expect.stringMatching(/^Nothing was removed: /) });
    expect((await on.store.task({ id: 'task' })).type).toBe('found');
    expect(existsSync(folder)).toBe(true);
  });
});
