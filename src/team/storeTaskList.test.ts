import { execFileSync } from 'node:child_process';
import { hostname } from 'node:os';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { type TaskList, TaskListError } from '../session/taskList.ts';
import { openStore } from '../store/openStore.ts';
import type { Store } from '../store/types.ts';
import { systemIds } from '../system/ids.ts';
import { type ProcessFacts, startOfProcess, thisProcess } from '../system/processLife.ts';
import { tempFolder } from '../testing/tempFolder.ts';
import { storeTaskList } from './storeTaskList.ts';
import { releaseAll } from './teamClaims.ts';
import type { TeamContext } from './teamContext.ts';

/** Another process that lives as long as the test does. */
const otherProcess = (): ProcessFacts => ({
  host: hostname(),
  pid: process.ppid,
  pidStart: startOfProcess(process.ppid) ?? null,
});

/** A process that has ended. */
const goneProcess = (): ProcessFacts => ({
  host: hostname(),
  pid: Number(execFileSync(process.execPath, ['-p', 'process.pid'], { encoding: 'utf8' })),
  pidStart: '1',
});

async function openTeam() {
  const folder = await tempFolder();
  const store = await openStore(path.join(folder.path, 'store.db'));
  if ('type' in store) throw new Error(store.reason);
  const context = (name: string, process: ProcessFacts): TeamContext => ({
    store,
    team: 'crew',
    name,
    sessionId: null,
    process,
    ids: systemIds,
  });
  const ada = context('ada', thisProcess());
  return {
    store,
    ada: storeTaskList(ada),
    bob: storeTaskList(context('bob', otherProcess())),
    as: (name: string, process: ProcessFacts) => storeTaskList(context(name, process)),
    adaEnds: () => releaseAll(ada),
    [Symbol.asyncDispose]: async () => {
      await store.close();
      await folder[Symbol.asyncDispose]();
    },
  };
}

const add = async (list: TaskList, ...subjects: string[]) => {
  for (const subject of subjects) await list.create({ subject, description: `Do ${subject}.` });
};
const claimAs = async (store: Store, workerId: string, taskId?: string) => {
  await store.registerWorker({ workerId, queue: 'team-crew' });
  return store.claim({ workerId, incarnation: 1, claimKey: systemIds.uuid(), queue: 'team-crew', taskId });
};

describe('storeTaskList', () => {
  it('counts ids from 1, never uses one again, and keeps what a task was given', async () => {
    await using team = await openTeam();
    const first = await team.ada.create({ subject: 'a', description: 'long', activeForm: 'Doing --> a' });
    expect(first).toEqual({
      id: '1',
      subject: 'a',
      description: 'long',
      activeForm: 'Doing --> a',
      status: 'pending',
      blockedBy: [],
      blocks: [],
    });
    expect(await team.ada.delete('1')).toBe(true);
    expect(await team.ada.delete('1')).toBe(false);
    expect(await team.bob.create({ subject: 'b', description: '' })).toMatchObject({ id: '2' });
    expect(await team.bob.list()).toMatchObject([{ id: '2', description: '' }]);
    expect(await team.bob.get('1')).toBeUndefined();
    expect(await team.bob.update('1', { status: 'completed' })).toBeUndefined();
    await team.bob.update('2', { subject: 'c', description: 'more', activeForm: 'Doing c' });
    expect(await team.ada.get('#2')).toMatchObject({ subject: 'c', description: 'more', activeForm: 'Doing c' });
  });

  it('gives tasks that are added concurrently different numbers', async () => {
    await using team = await openTeam();
    await Promise.all(['a', 'b', 'c', 'd'].flatMap((subject) => [add(team.ada, subject), add(team.bob, subject)]));
    const ids = (await team.ada.list()).map(({ id }) => Number(id));
    expect(ids.toSorted((a, b) => a - b)).toEqual([1, 2, 3, 4, 5, 6, 7, 8]);
  });

  it('lets one teammate have a task and names it to the other', async () => {
    await using team = await openTeam();
    await add(team.ada, 'a');
    await team.ada.update('1', { status: 'in_progress', owner: 'ada' });
    expect(await team.bob.get('1')).toMatchObject({ status: 'in_progress', owner: 'ada' });
    const refused = new TaskListError('Task #1 is being worked on by ada. Take another one, or ask ada to release it.');
    for (const status of ['in_progress', 'completed', 'pending'] as const) {
      await expect(team.bob.update('1', { status }), status).rejects.toThrow(refused);
    }
    await team.ada.update('1', { status: 'pending' });
    await team.bob.update('1', { status: 'in_progress' });
    await team.bob.update('1', { status: 'completed' });
    expect(await team.ada.get('1')).toMatchObject({ status: 'completed', owner: 'bob' });
    await expect(team.ada.update('1', { status: 'pending' })).rejects.toThrow(
      'Task #1 is completed and cannot be reopened',
    );
    await expect(team.ada.update('1', { status: 'completed' })).rejects.toThrow('Task #1 was already completed by bob');
    await expect(team.ada.delete('1')).rejects.toThrow('cannot be deleted');
  });

  it('holds several tasks, and leaves no slot behind', async () => {
    await using team = await openTeam();
    await add(team.ada, 'a', 'b');
    for (const id of ['1', '2']) await team.ada.update(id, { status: 'in_progress' });
    expect(await team.ada.list()).toMatchObject([{ owner: 'ada' }, { owner: 'ada' }]);
    await team.ada.update('1', { status: 'completed' });
    await team.ada.delete('2');
    expect(await team.store.workers({ running: true })).toMatchObject({ workers: [] });
  });

  it('completes an unclaimed task in one step', async () => {
    await using team = await openTeam();
    await add(team.ada, 'a');
    expect(await team.ada.update('1', { status: 'completed' })).toMatchObject({ status: 'completed', owner: 'ada' });
    expect(await team.ada.update('1', { status: 'completed' })).toMatchObject({ status: 'completed' });
  });

  it('never shares a task with a worker', async () => {
    await using team = await openTeam();
    await add(team.ada, 'a', 'b');
    await team.ada.update('1', { status: 'in_progress' });
    expect(await claimAs(team.store, 'build-1')).toMatchObject({ type: 'claimed', task: { title: 'b' } });
    expect(await claimAs(team.store, 'build-2')).toMatchObject({ type: 'empty' });
    expect(await team.ada.get('2')).toMatchObject({ status: 'in_progress', owner: 'build-1' });
    await expect(team.ada.update('2', { status: 'in_progress' })).rejects.toThrow('worked on by build-1');
  });

  it('shows tasks that were put into the queue from outside by the beginning of their id', async () => {
    await using team = await openTeam();
    await team.store.addTasks({
      tasks: [{ title: 'x', queue: 'team-crew', id: '0123456789abcdef' }],
    });
    await add(team.ada, 'a');
    expect((await team.ada.list()).map(({ id }) => id)).toEqual(['01234567', '1']);
    expect(await team.ada.update('01234567', { status: 'completed' })).toMatchObject({ status: 'completed' });
  });

  it('does not start waiting tasks, and refuses cycles', async () => {
    await using team = await openTeam();
    await add(team.ada, 'a', 'b', 'c');
    await team.ada.update('2', { blockedBy: ['1'] });
    await team.ada.update('2', { blocks: ['3'] });
    expect(await team.bob.list()).toMatchObject([
      { blocks: ['2'], blockedBy: [] },
      { blocks: ['3'], blockedBy: ['1'] },
      { blocks: [], blockedBy: ['2'] },
    ]);
    await expect(team.ada.update('2', { status: 'in_progress' })).rejects.toThrow(
      'Task #2 cannot be started yet: it waits for #1',
    );
    await expect(team.ada.update('1', { blockedBy: ['3'] })).rejects.toThrow(
      'Task #1 cannot wait for #3, which waits for it.',
    );
    await team.ada.update('1', { status: 'completed' });
    await team.ada.delete('2');
    expect(await team.ada.update('3', { status: 'in_progress' })).toMatchObject({ status: 'in_progress' });
    await expect(team.ada.update('3', { blockedBy: ['1'] })).rejects.toThrow('only a pending task');
  });

  it('lets the new owner of a task continue it', async () => {
    await using team = await openTeam();
    await add(team.ada, 'a', 'b');
    for (const id of ['1', '2']) await team.ada.update(id, { status: 'in_progress', owner: 'bob' });
    expect(await team.ada.list()).toMatchObject([{ owner: 'bob' }, { owner: 'bob' }]);
    await team.bob.update('1', { status: 'in_progress' });
    await team.adaEnds();
    expect(await team.bob.list()).toMatchObject([
      { status: 'in_progress', owner: 'bob' },
      { status: 'pending', owner: 'bob' },
    ]);
    expect(await team.bob.update('1', { status: 'completed' })).toMatchObject({ owner: 'bob' });
  });

  it('hands over its task', async () => {
    await using team = await openTeam();
    await add(team.ada, 'a');
    await team.ada.update('1', { status: 'in_progress' });
    expect(await team.ada.update('1', { owner: 'bob' })).toMatchObject({ status: 'in_progress', owner: 'bob' });
    await team.bob.update('1', { status: 'completed' });
    await expect(team.ada.update('1', { owner: 'ada' })).rejects.toThrow('has ended');
  });

  it('requeues the tasks of a teammate that has ended, but not those of a living namesake', async () => {
    await using team = await openTeam();
    await add(team.ada, 'a', 'b');
    await team.as('bob', goneProcess()).update('1', { status: 'in_progress' });
    await team.as('ada', otherProcess()).update('2', { status: 'in_progress' });
    expect(await team.ada.list()).toMatchObject([{ status: 'pending' }, { status: 'in_progress', owner: 'ada' }]);
    expect(await team.ada.update('1', { status: 'in_progress' })).toMatchObject({ owner: 'ada' });
    await expect(team.ada.update('2', { status: 'completed' })).rejects.toThrow('another process called ada');
  });

  it('releases its tasks when it ends', async () => {
    await using team = await openTeam();
    await add(team.ada, 'a');
    await team.ada.update('1', { status: 'in_progress', owner: 'ada' });
    await team.adaEnds();
    expect(await team.bob.get('1')).toMatchObject({ status: 'pending', owner: 'ada' });
    expect(await team.store.workers({ running: true })).toMatchObject({ workers: [] });
  });

  it('reports that the store is closed', async () => {
    await using team = await openTeam();
    await add(team.ada, 'a');
    await team.store.close();
    await expect(team.ada.list()).rejects.toThrow(TaskListError);
    await expect(team.ada.update('1', { status: 'completed' })).rejects.toThrow("team's task list cannot be reached: ");
  });
});
