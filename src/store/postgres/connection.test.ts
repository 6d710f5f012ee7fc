import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { tempFolder } from '../../testing/tempFolder.ts';
import { storeLocation } from '../storeLocation.ts';
import { connectionOf, passwordIn } from './connection.ts';

const at = { host: 'db', port: 5432, database: 'tasks', user: 'me' };

it.each([
  ['db:5432:tasks:me:secret', 'secret'],
  ['*:*:*:me:any', 'any'],
  ['other:5432:tasks:me:no\ndb:*:tasks:me:yes', 'yes'],
  [String.raw`db:5432:tasks:me:with\:colon\\`, 'with:colon\\'],
  ['# db:5432:tasks:me:comment', undefined],
  ['db:5432:tasks:you:no', undefined],
])('reads %j', (text, password) => {
  expect(passwordIn(text, at)).toBe(password);
});

it.each([
  ['postgres://me@db/tasks', 'prefer'],
  ['postgres://me@db/tasks?sslmode=disable', false],
  ['postgres://me@db/tasks?sslmode=require', 'require'],
  ['postgres://me@db/tasks?sslmode=verify-full', { rejectUnauthorized: true }],
  ['postgres://me@db/tasks?sslrootcert=system', { rejectUnauthorized: true }],
])('%s', (address, ssl) => {
  expect(connectionOf(address, { HOME: '/nonexistent' })).toEqual({ url: 'postgres://me@db/tasks', ssl });
});

it('takes the root certificate and the password from files, and never sends them as settings', async () => {
  await using folder = await tempFolder();
  const [root, pass] = ['root.crt', 'pass'].map((name) => path.join(folder.path, name)) as [string, string];
  writeFileSync(root, 'a certificate');
  writeFileSync(pass, 'db:5432:tasks:me:secret', { mode: 0o600 });
  const env = { PGPASSFILE: pass, PGSSLMODE: 'verify-ca' };
  expect(connectionOf(`postgres://me@db/tasks?sslrootcert=${root}`, env)).toMatchObject({
    url: 'postgres://me@db/tasks',
    ssl: { ca: 'a certificate', rejectUnauthorized: true },
    password: 'secret',
  });
  expect(connectionOf('postgres://me@db/tasks?sslrootcert=/no/such', {})).toMatchObject({
    reason: 'sslrootcert: the file /no/such cannot be read; check the path.',
  });
  expect(connectionOf('postgres://me@db/tasks?sslmode=maybe', {})).toMatchObject({ cause: 'unusable' });
});

it.each([
  ['postgres://u@h1:5432,h2:5433/db?sslmode=verify-full', { rejectUnauthorized: true }],
  ['postgres://h/db?ssl=true', 'require'],
  ['postgres://h/db?ssl=require', 'require'],
  ['postgres://h/db?ssl=verify-full', { rejectUnauthorized: true }],
  ['postgres://h/db?ssl=false', false],
  ['postgres://h/db?sslmode=disable&ssl=true', 'require'],
  ['postgres://h/db?sslmode=prefer&sslmode=verify-full', { rejectUnauthorized: true }],
])('keeps at least the TLS that %s asks for', (address, ssl) => {
  expect(connectionOf(address, { HOME: '/nonexistent', PGSSLMODE: 'prefer' })).toMatchObject({ ssl });
});

it('names all servers to the driver', () => {
  expect(connectionOf('postgres://u@h1:5432,h2/db?port=7', { HOME: '/nonexistent' })).toEqual({
    url: 'postgres://u@h1:5432/db',
    ssl: 'prefer',
    host: ['h1', 'h2'],
    port: [5432, 7],
  });
  expect(connectionOf('postgres:///db?host=/run/a', {})).toMatchObject({
    url: 'postgres:///db',
    path: '/run/a/.s.PGSQL.5432',
  });
  expect(connectionOf('postgres://h/db?ssl=maybe', {})).toMatchObject({ cause: 'unusable' });
});

it('has different locations for different stores', () => {
  const at = (url: string) => storeLocation({ type: 'postgres', url }, { USER: 'me' });
  expect(at('postgres://u:p@h1:5432,h2:5433/a')).toBe('postgres://h1:5432,h2:5433/a');
  const addresses = [
    'u@h1,h2/a',
    'u@h1,h3/a',
    'u@h1/a',
    'u@h1,h2/b',
    '/a',
    '/a?host=/run/a',
    '/a?host=/run/b',
    'h1:6/a',
  ];
  expect(new Set(addresses.map((one) => at(`postgres://${one}`))).size).toBe(addresses.length);
});
