import { describe, expect, it } from 'vitest';
import { memoryTaskList } from './taskList.ts';

describe('memoryTaskList', () => {
  it('counts ids from 1 and never uses one again', async () => {
    const tasks = memoryTaskList();
    const first = await tasks.create({ subject: 'a', description: '', activeForm: 'doing a' });
    await tasks.delete(first.id);
    const second = await tasks.create({ subject: 'b', description: '' });
    expect([first.id, second.id]).toEqual(['1', '2']);
    expect(first).toMatchObject({ activeForm: 'doing a', status: 'pending', blocks: [], blockedBy: [] });
    expect('activeForm' in second).toBe(false);
  });

  it('changes what it is told and nothing else', async () => {
    const tasks = memoryTaskList();
    await tasks.create({ subject: 'a', description: 'long' });
    expect(await tasks.update('1', { status: 'in_progress' })).toMatchObject({ description: 'long' });
    expect(await tasks.get('1')).toMatchObject({ subject: 'a', status: 'in_progress' });
    expect(await tasks.update('7', { status: 'completed' })).toBeUndefined();
  });

  it('takes a deleted task out of the way of others', async () => {
    const tasks = memoryTaskList();
    await tasks.create({ subject: 'a', description: '' });
    await tasks.create({ subject: 'b', description: '' });
    await tasks.update('2', { blockedBy: ['1'], blocks: ['1'] });
    expect([await tasks.delete('1'), await tasks.delete('1')]).toEqual([true, false]);
    expect(await tasks.list()).toEqual([expect.objectContaining({ id: '2', blockedBy: [], blocks: [] })]);
  });
});
