import { describe, expect, it } from 'vitest';
import { callTool, testToolContext } from '../../testing/toolContext.ts';
import type { ToolContext } from '../toolContext.ts';
import { taskCreateTool } from './taskCreate.ts';
import { taskGetTool } from './taskGet.ts';
import { taskListTool } from './taskList.ts';
import { taskUpdateTool } from './taskUpdate.ts';

async function open(askTaskHooks: ToolContext['askTaskHooks'] = async () => null) {
  const context = await testToolContext({ askTaskHooks });
  const outcome = async (tool: typeof taskGetTool, input: object) => (await callTool(tool, input, context)).outcome;
  return {
    tasks: context.tasks,
    create: (subject: string, more: object = {}) => outcome(taskCreateTool, { subject, description: 'd', ...more }),
    update: (taskId: string, change: object) => outcome(taskUpdateTool, { taskId, ...change }),
    get: (taskId: string) => outcome(taskGetTool, { taskId }),
    list: () => outcome(taskListTool, {}),
    [Symbol.asyncDispose]: () => context[Symbol.asyncDispose](),
  };
}

describe('TaskCreate', () => {
  it('adds a task and calls the hooks', async () => {
    const calls: unknown[] = [];
    await using list = await open(async (...question) => {
      calls.push(question);
      return null;
    });
    expect(await list.create('Fix it', { activeForm: 'Fixing it' })).toEqual({
      type: 'done',
      output: { task: { id: '1', subject: 'Fix it' } },
      content: 'Task #1 created: Fix it',
    });
    expect(calls).toEqual([['TaskCreated', { id: '1', subject: 'Fix it', description: 'd' }]]);
    expect(await list.tasks.get('1')).toMatchObject({ activeForm: 'Fixing it', status: 'pending' });
  });

  it('removes it when a hook refuses, with its words', async () => {
    await using list = await open(async () => 'No more tasks today.');
    expect(await list.create('Fix it')).toEqual({ type: 'failed', message: 'No more tasks today.' });
    expect(await list.tasks.list()).toEqual([]);
  });
});

describe('TaskUpdate', () => {
  it('changes the given fields', async () => {
    await using list = await open();
    await list.create('a');
    expect(await list.update('1', { status: 'in_progress', owner: 'me', subject: 'b' })).toEqual({
      type: 'done',
      output: {
        success: true,
        taskId: '1',
        updatedFields: ['status', 'subject', 'owner'],
        statusChange: { from: 'pending', to: 'in_progress' },
      },
      content: 'Task #1 updated: status, subject, owner',
    });
    expect(await list.tasks.get('1')).toMatchObject({ status: 'in_progress', owner: 'me', subject: 'b' });
  });

  it('calls the hooks before it completes, and once', async () => {
    const statuses: unknown[] = [];
    await using list = await open(async (event, { id }) => {
      statuses.push([event, (await list.tasks.get(id))?.status]);
      return null;
    });
    await list.create('a');
    await list.update('1', { status: 'completed' });
    await list.update('1', { status: 'completed' });
    expect(statuses).toEqual([
      ['TaskCreated', 'pending'],
      ['TaskCompleted', 'pending'],
    ]);
    expect(await list.tasks.get('1')).toMatchObject({ status: 'completed' });
  });

  it('leaves a task unchanged when a hook refuses, with exactly its words', async () => {
    await using list = await open(async (event) => (event === 'TaskCompleted' ? 'Tests fail.' : null));
    await list.create('a');
    await list.create('b');
    const refused = await list.update('1', { status: 'completed', subject: 'new', addBlocks: ['2'] });
    expect(refused).toMatchObject({ type: 'done', content: 'Tests fail.', output: { success: false } });
    expect(await list.tasks.list()).toMatchObject([
      { subject: 'a', status: 'pending', blocks: [] },
      { subject: 'b', blockedBy: [] },
    ]);
  });

  it('links both ends, once', async () => {
    await using list = await open();
    for (const subject of ['a', 'b', 'c']) await list.create(subject);
    await list.update('2', { addBlockedBy: ['1'], addBlocks: ['3'] });
    await list.update('1', { addBlocks: ['2'] });
    expect(await list.tasks.list()).toMatchObject([
      { blocks: ['2'], blockedBy: [] },
      { blocks: ['3'], blockedBy: ['1'] },
      { blocks: [], blockedBy: ['2'] },
    ]);
  });

  it.each([
    ['7', {}, 'Task #7 does not exist. TaskList shows all tasks.'],
    ['1', { addBlocks: ['1'] }, 'Task #1 cannot wait for itself.'],
    ['1', { addBlockedBy: ['9'] }, 'Task #9 does not exist, so it cannot be linked.'],
  ])('refuses %s %j', async (id, change, message) => {
    await using list = await open();
    await list.create('a');
    expect(await list.update(id, change)).toEqual({ type: 'failed', message });
  });

  it('deletes', async () => {
    await using list = await open();
    await list.create('a');
    expect(await list.update('1', { status: 'deleted' })).toMatchObject({ content: 'Task #1 deleted' });
    expect(await list.tasks.list()).toEqual([]);
  });
});

describe('TaskList and TaskGet', () => {
  it('show what there is', async () => {
    await using list = await open();
    expect(await list.list()).toMatchObject({ content: 'There are no tasks.', output: { tasks: [] } });
    for (const subject of ['a', 'b', 'c']) await list.create(subject);
    await list.update('3', { addBlockedBy: ['1', '2'], owner: 'me' });
    await list.update('1', { status: 'completed' });
    expect(await list.list()).toMatchObject({
      content: '#1 [completed] a\n#2 [pending] b\n#3 [pending] c (me) [blocked by #2]',
      output: { tasks: [{ id: '1' }, { id: '2' }, { id: '3', owner: 'me', blockedBy: ['2'] }] },
    });
    expect(await list.get('3')).toMatchObject({
      content: 'Task #3: c\nStatus: pending\nOwner: me\nBlocked by: #1, #2\nDescription: d',
      output: { task: { id: '3', blockedBy: ['1', '2'] } },
    });
    expect(await list.get('8')).toMatchObject({ type: 'failed' });
  });
});
