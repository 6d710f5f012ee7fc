import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { tempFolder } from '../testing/tempFolder.ts';
import { fileTaskList } from './fileTaskList.ts';

it('keeps tasks for whoever opens the folder next', async () => {
  await using folder = await tempFolder();
  const list = fileTaskList(path.join(folder.path, 'tasks'));
  const first = await list.create({ subject: 'one', description: 'the first' });
  await list.create({ subject: 'two', description: '', activeForm: 'Doing two' });
  await list.update(first.id, { status: 'in_progress', owner: 'ann' });
  const again = fileTaskList(path.join(folder.path, 'tasks'));
  expect(await again.list()).toMatchObject([
    { id: '1', subject: 'one', status: 'in_progress', owner: 'ann' },
    { id: '2', subject: 'two', status: 'pending', activeForm: 'Doing two' },
  ]);
  expect(await again.delete('1')).toBe(true);
  expect(await again.delete('1')).toBe(false);
  expect(await again.get('1')).toBeUndefined();
  expect(await again.update('1', { status: 'completed' })).toBeUndefined();
});

it('gives each of several agents an id of its own', async () => {
  await using folder = await tempFolder();
  const lists = Array.from({ length: 8 }, () => fileTaskList(folder.path));
  const made = await Promise.all(
    lists.flatMap((list) => [1, 2, 3].map((n) => list.create({ subject: `${n}`, description: '' }))),
  );
  expect(new Set(made.map(({ id }) => id)).size).toBe(24);
  expect(await fileTaskList(folder.path).list()).toHaveLength(24);
});

it('leaves out what is no task and never leaves its folder', async () => {
  await using folder = await tempFolder();
  const list = fileTaskList(folder.path);
  await list.create({ subject: 'one', description: '' });
  writeFileSync(path.join(folder.path, '7.json'), '{"id":');
  writeFileSync(path.join(folder.path, 'notes.json'), '{}');
  expect(await list.list()).toHaveLength(1);
  expect(await list.get('../../etc/passwd')).toBeUndefined();
});
