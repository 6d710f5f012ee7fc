import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { tempFolder } from '../../src/testing/tempFolder.ts';
import { testProject } from '../support/project.ts';
import { databaseOfThisFile } from './support/postgresStores.ts';
import { tlsProxy } from './support/tlsProxy.ts';

const database = databaseOfThisFile();

it('a server that only accepts TLS is used, and its certificate checked where that is asked for', {
  timeout: 60_000,
}, async () => {
  await using folder = await tempFolder();
  await using project = await testProject();
  await using proxy = await tlsProxy(database.server.url, folder.path);
  const list = (more: string, env = {}) => project.run(['task', 'list', '--store', `${proxy.url}${more}`], { env });
  expect(await list('')).toMatchObject({ code: 0 });
  expect(await list(`?sslmode=verify-full&sslrootcert=${proxy.root}`)).toMatchObject({ code: 0 });
  const plain = await list('?sslmode=disable');
  expect([plain.code, plain.stderr]).toEqual([69, expect.stringContaining('accepts only encrypted connections')]);
  const unknown = await list('?sslmode=verify-full');
  expect([unknown.code, unknown.stderr]).toEqual([69, expect.stringContaining('The TLS connection to PostgreSQL at')]);
  const none = await project.run(['task', 'list', '--store', `${database.server.url}?sslmode=require`]);
  expect([none.code, none.stderr]).toEqual([69, expect.stringContaining('does not offer TLS')]);
});

it('the password is read from a file', { timeout: 60_000 }, async () => {
  await using project = await testProject();
  const { username, password, host } = new URL(database.server.url);
  writeFileSync(path.join(project.home, '.pgpass'), `*:*:*:${username}:${password}\n`, { mode: 0o600 });
  const end = await project.run(['task', 'list', '--store', `postgres://${username}@${host}/postgres`]);
  expect(end.code, end.stderr).toBe(0);
});
