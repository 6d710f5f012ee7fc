import { existsSync, readdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { fileTaskList } from '../session/fileTaskList.ts';
import { openStore } from '../store/openStore.ts';
import { systemIds } from '../system/ids.ts';
import { tempFolder } from '../testing/tempFolder.ts';
import { storeTaskList } from './storeTaskList.ts';
import { NOTE, takeOverFiles } from './takeOverFiles.ts';
import { thisProcess } from './thisProcess.ts';

async function openBoth() {
  const folder = await tempFolder();
  const store = await openStore(path.join(folder.path, 'store.db'), { defaultPath: '' });
  if ('type' in store) throw new Error(store.reason);
  const context = { store, team: 'crew', name: 'ada', sessionId: null, process: thisProcess(), ids: systemIds };
  const files = path.join(folder.path, 'tasks');
  return {
    files,
    old: fileTaskList(files),
    list: storeTaskList(context),
    takeOver: () => takeOverFiles(context, files),
    [Symbol.asyncDispose]: async () => {
      await store.close();
      await folder[Symbol.asyncDispose]();
    },
  };
}

it('brings over numbers, words, states and links, once', async () => {
  await using both = await openBoth();
  expect(await both.takeOver()).toBeUndefined();
  for (const subject of ['a', 'b', 'gone', 'c']) await both.old.create({ subject, description: `Do ${subject}.` });
  await both.old.delete('3');
  await both.old.update('1', { status: 'completed', owner: 'bob', blocks: ['2'], blockedBy: ['4'] });
  await both.old.update('2', {
    status: 'in_progress',
    owner: 'eve',
    activeForm: 'Doing b',
    blockedBy: ['1', '4', '3'],
  });
  expect(await both.takeOver()).toBe(
    `3 tasks of team crew came over from ${both.files} into the task store, queue team-crew.`,
  );
  expect(await both.list.list()).toMatchObject([
    { id: '1', subject: 'a', status: 'completed', owner: 'bob' },
    { id: '2', description: 'Do b.', status: 'pending', owner: 'eve', activeForm: 'Doing b', blockedBy: ['1', '4'] },
    { id: '4', status: 'pending' },
  ]);
  expect(existsSync(path.join(both.files, NOTE))).toBe(true);
  expect(readdirSync(both.files)).toHaveLength(4);
  await both.old.create({ subject: 'later', description: '' });
  expect(await both.takeOver()).toBeUndefined();
  expect(await both.list.create({ subject: 'next', description: '' })).toMatchObject({ id: '5' });
});

it('goes on where another one was interrupted, and does nothing twice', async () => {
  await using both = await openBoth();
  await both.old.create({ subject: 'a', description: '' });
  await both.old.update('1', { status: 'completed' });
  await Promise.all([both.takeOver(), both.takeOver()]);
  expect(await both.list.list()).toMatchObject([{ id: '1', status: 'completed', owner: 'somebody' }]);
});

it('keeps tasks that wait for each other in a circle, and says what it left out', async () => {
  await using both = await openBoth();
  for (const subject of ['a', 'b']) await both.old.create({ subject, description: '' });
  await both.old.update('1', { blockedBy: ['2'] });
  await both.old.update('2', { blockedBy: ['1'] });
  writeFileSync(path.join(both.files, '9.json'), 'no task');
  expect(await both.takeOver()).toContain('2 tasks of team crew came over');
  expect(await both.list.list()).toMatchObject([{ blockedBy: [] }, { blockedBy: [] }]);
});
