import { expect, it } from 'vitest';
import { chooseStorePlace, placeInWords, readPlace } from './storePlace.ts';

const facts = { env: {}, stopgateHome: '/home/me/.stopgate', cwd: '/work' };

it.each([
  ['the flag', 'a.db', { STOPGATE_STORE: 'b.db' }, '/work/a.db'],
  ['the environment', undefined, { STOPGATE_STORE: 'b.db' }, '/work/b.db'],
  ['the home folder', undefined, { STOPGATE_STORE: '' }, '/home/me/.stopgate/stopgate.db'],
])('is chosen by %s', (_by, flag, env, path) => {
  expect(chooseStorePlace({ ...facts, flag, env })).toMatchObject({ type: 'sqlite', path });
});

it.each([
  ['postgres://me:secret@host:5433/tasks', 'postgres://me@host:5433/tasks'],
  ['postgresql://me@host/tasks?password=secret&sslmode=require', 'postgresql://me@host/tasks?sslmode=require'],
  ['postgres://me:secret@ho st/[', 'postgres://…'],
])('never shows the password of %s', (url, shown) => {
  expect(placeInWords(readPlace(url, '/'))).toBe(shown);
});

it('is no other kind of address', () => {
  expect(() => readPlace('mysql://host/x', '/')).toThrow(/no kind of store/);
});
