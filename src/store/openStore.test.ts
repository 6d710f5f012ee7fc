import { chmod, mkdir, readFile, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, it } from 'vitest';
import { tempFolder } from '../testing/tempFolder.ts';
import { openStore } from './openStore.ts';
import type { Store } from './types.ts';
import { available, type Unavailable } from './unavailable.ts';

const opened = (store: Store | Unavailable): Store => {
  if ('type' in store) throw new Error(store.reason);
  return store;
};

const refused = async (spec: string): Promise<Unavailable> => {
  const store = await openStore(spec);
  if ('type' in store) return store;
  await store.close();
  throw new Error('It was opened');
};

describe('openStore', () => {
  it('creates a file that only its owner can read, with its folder, and opens it again', async () => {
    await using folder = await tempFolder();
    const file = path.join(folder.path, 'deep', 'er', 'stopgate.db');
    await using first = opened(await openStore({ type: 'sqlite', path: file, isDefault: true }));
    await first.addTasks({ tasks: [{ title: 'x' }] });
    await using second = opened(await openStore(file));
    expect(available(await second.counts()).ready).toBe(1);
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    expect((await stat(path.dirname(file))).mode & 0o777).toBe(0o700);
    expect(await second.about()).toMatchObject({ kind: 'sqlite', location: file, schemaVersion: 14 });
  });

  it('opens a store in memory', async () => {
    await using store = opened(await openStore(':memory:'));
    expect(available(await store.counts()).ready).toBe(0);
  });

  it('rejects a file that is not a database, and leaves it unchanged', async () => {
    await using folder = await tempFolder();
    const file = path.join(folder.path, 'notes.txt');
    await writeFile(file, 'not a database at all, but long enough to have a header'.repeat(20));
    expect(await refused(file)).toEqual({
      type: 'unavailable',
      cause: 'unusable',
      reason: `The store ${file} is not a database; choose another path.`,
    });
    expect(await readFile(file, 'utf8')).toContain('not a database at all');
  });

  it('rejects a database of another program', async () => {
    await using folder = await tempFolder();
    const file = path.join(folder.path, 'other.db');
    const database = new DatabaseSync(file);
    database.exec('CREATE TABLE notes (text TEXT)');
    database.close();
    expect((await refused(file)).reason).toBe(
      `The file ${file} is a database, but not a Stopgate store; choose another path.`,
    );
  });

  it.each([
    [99, /written by a newer Stopgate;/],
    [1, /created before the first release of Stopgate/],
  ])('rejects a store with the schema %i', async (version, words) => {
    await using folder = await tempFolder();
    const file = path.join(folder.path, 'other.db');
    await opened(await openStore(file)).close();
    const database = new DatabaseSync(file);
    database.exec(`PRAGMA user_version = ${version}`);
    database.close();
    expect((await refused(file)).reason).toMatch(words);
  });

  it('rejects a folder as the file, and a file as the folder', async () => {
    await using folder = await tempFolder();
    expect((await refused(folder.path)).reason).toBe(`${folder.path} is a folder; a store is a file.`);
    const file = path.join(folder.path, 'file');
    await writeFile(file, '');
    expect((await refused(path.join(file, 'x.db'))).reason).toMatch(/is not a folder; choose another path/);
  });

  it('names the folder that may not be written', async () => {
    await using folder = await tempFolder();
    // root may write everywhere except where the kernel refuses it
    const closed = process.getuid?.() === 0 ? '/sys' : path.join(folder.path, 'closed');
    if (closed !== '/sys') {
      await mkdir(closed);
      await chmod(closed, 0o500);
    }
    expect((await refused(path.join(closed, 'x.db'))).reason).toContain(`the folder ${closed} may not be written`);
  });

  it('names the address where no PostgreSQL answers, without the password', async () => {
    expect(await refused('postgres://me:geheim@127.0.0.1:1/tasks')).toEqual({
      type: 'unavailable',
      cause: 'unreachable',
      reason: 'There is no PostgreSQL at 127.0.0.1:1; check the address and that the server runs.',
    });
  });

  it('rejects an unknown kind of address', async () => {
    expect((await refused('mysql://localhost/x')).reason).toMatch(/^"mysql:\/\/" is not a kind of store/);
  });
});
