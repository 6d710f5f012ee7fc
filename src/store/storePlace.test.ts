import { expect, it } from 'vitest';
import { findStorePlace, parseStorePlace, placeText, showStorePlace } from './storePlace.ts';

const facts = { env: {}, stopgateHome: '/home/me/.stopgate', cwd: '/work' };

it.each([
  ['the flag', 'a.db', { STOPGATE_STORE: 'b.db' }, '/work/a.db'],
  ['the environment', undefined, { STOPGATE_STORE: 'b.db' }, '/work/b.db'],
  ['the home folder', undefined, { STOPGATE_STORE: '' }, '/home/me/.stopgate/stopgate.db'],
])('is found by %s', (_by, flag, env, path) => {
  expect(findStorePlace({ ...facts, flag, env })).toMatchObject({ type: 'sqlite', path });
});

it.each([
  ['postgres://me:secret@host:5433/tasks', 'postgres://me@host:5433/tasks'],
  ['postgresql://me@host/tasks?password=secret&sslmode=require', 'postgresql://me@host/tasks?sslmode=require'],
  ['postgres://me:secret@ho st/[', 'postgres://…'],
  ['/work/a.db', '/work/a.db'],
  [':memory:', ':memory:'],
])('%s is shown as %s, and its text names it again', (text, shown) => {
  const place = parseStorePlace(text, '/');
  if (place.type === 'unavailable') return expect.unreachable(place.reason);
  expect(showStorePlace(place)).toBe(shown);
  expect(parseStorePlace(placeText(place), '/elsewhere')).toEqual(place);
});

it.each([
  ['mysql://host/x', '"mysql://" is not a kind of store; give a file or postgres://HOST/DATABASE.'],
  ['postgres:x//me:secret@host/x', '"postgres:" is not a kind of store; give a file or postgres://HOST/DATABASE.'],
  [' ', 'The place of the store is empty; give a file or postgres://HOST/DATABASE.'],
])('refuses %j', (text, reason) => {
  expect(parseStorePlace(text, '/')).toEqual({ type: 'unavailable', cause: 'unusable', reason });
});
