import { expect, it } from 'vitest';
import { systemIds } from '../../src/system/ids.ts';
import { thisProcess } from '../../src/system/processLife.ts';
import { storeTaskList } from '../../src/team/storeTaskList.ts';
import { databaseOfThisFile } from './support/postgresStores.ts';

const database = databaseOfThisFile({ durable: false });

it('PostgreSQL: a team on several machines has one list, and one teammate a task', async () => {
  await using schema = await database.schema(Date.UTC(2026, 0, 1));
  const names = ['ada', 'bob', 'eve', 'max'];
  const lists = await Promise.all(
    names.map(async (name) =>
      storeTaskList({
        store: await schema.open(),
        team: 'crew',
        name,
        sessionId: null,
        process: { ...thisProcess(), host: `host of ${name}` },
        ids: systemIds,
      }),
    ),
  );
  const [ada] = lists as [(typeof lists)[0]];
  await Promise.all(lists.flatMap((list) => ['a', 'b'].map((subject) => list.create({ subject, description: '' }))));
  const ids = (await ada.list()).map(({ id }) => Number(id));
  expect(ids.toSorted((a, b) => a - b)).toEqual([1, 2, 3, 4, 5, 6, 7, 8]);
  const races = await Promise.allSettled(lists.map((list) => list.update('3', { status: 'in_progress' })));
  expect(races.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected', 'rejected', 'rejected']);
  const winner = names[races.findIndex(({ status }) => status === 'fulfilled')];
  expect(await ada.get('3')).toMatchObject({ status: 'in_progress', owner: winner });
  await ada.update('4', { blockedBy: ['5'], subject: 'c' });
  expect(await ada.get('4')).toMatchObject({ subject: 'c', blockedBy: ['5'] });
  await ada.delete('5');
  expect(await ada.update('4', { status: 'completed' })).toMatchObject({ status: 'completed', owner: 'ada' });
});
