import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, chownSync, lstatSync, mkdirSync, statSync, symlinkSync } from 'node:fs';
import { createServer } from 'node:net';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { openStore } from '../../src/store/openStore.ts';
import { socketPath } from '../../src/store/sqlite/broker/socketPath.ts';
import { available } from '../../src/store/unavailable.ts';
import { addOne } from '../../src/testing/storeContract/steps.ts';
import { tempFolder } from '../../src/testing/tempFolder.ts';
import { opened } from './support/sqliteStores.ts';

/** `nobody`: a user that is not the one of the tests. */
const OTHER_UID = 65_534;
const isRoot = process.getuid?.() === 0;
if (!isRoot) console.warn('Not run: what needs a second user, because these tests do not run as root.');

/** A database whose own folder leaves no room for a socket's name, and a temp folder of its own. */
async function longPlace() {
  const folder = await tempFolder();
  const before = process.env.TMPDIR;
  process.env.TMPDIR = path.join(folder.path, 't');
  mkdirSync(process.env.TMPDIR);
  chmodSync(process.env.TMPDIR, 0o1777);
  const deep = path.join(folder.path, 'a-very-long-name-for-a-folder'.repeat(4));
  mkdirSync(deep, { mode: 0o700 });
  const file = path.join(deep, 'x.db');
  return {
    file,
    shared: process.env.TMPDIR,
    privateFolder: path.dirname(socketPath(file)),
    [Symbol.asyncDispose]: async () => {
      process.env.TMPDIR = before;
      await folder[Symbol.asyncDispose]();
    },
  };
}

const makeWith = (mode: number) => (folder: string) => {
  mkdirSync(folder);
  chmodSync(folder, mode);
};

describe('the socket of a store with a long path', () => {
  it('is in a folder that only its owner can enter', async () => {
    await using place = await longPlace();
    await using broker = opened(await openStore(place.file, { serve: true }));
    await using client = opened(await openStore(place.file));
    await addOne(client);
    expect(available(await broker.counts()).ready).toBe(1);
    expect(path.dirname(place.privateFolder)).toBe(place.shared);
    expect(lstatSync(place.privateFolder).mode & 0o777).toBe(0o700);
    expect(statSync(socketPath(place.file)).mode & 0o777).toBe(0o600);
  });

  it.each([
    ['can be read by others', makeWith(0o755)],
    ['can be written by others', makeWith(0o777)],
    ['is a link', (folder: string) => symlinkSync(path.dirname(folder), folder)],
  ])('is not made where that folder %s, and the store works without it', async (what, prepare) => {
    await using place = await longPlace();
    prepare(place.privateFolder);
    const notices: string[] = [];
    const onNotice = (sentence: string) => notices.push(sentence);
    await using server = opened(await openStore(place.file, { serve: true, onNotice }));
    await addOne(server);
    expect(notices).toEqual([expect.stringContaining(`The folder ${place.privateFolder} ${what.split(' by')[0]}`)]);
    expect(notices[0]).toContain('remove that folder, or set TMPDIR');
  });

  it.runIf(isRoot)('is neither made nor used in a folder that another user made first', async () => {
    await using place = await longPlace();
    mkdirSync(place.privateFolder, { mode: 0o700 });
    chownSync(place.privateFolder, OTHER_UID, OTHER_UID);
    let taken = 0;
    const server = createServer((connection) => {
      taken += 1;
      connection.destroy();
    });
    await once(server.listen(socketPath(place.file)), 'listening');
    await using _closing = { [Symbol.asyncDispose]: async () => void server.close() };
    chownSync(socketPath(place.file), OTHER_UID, OTHER_UID);
    const notices: string[] = [];
    const onNotice = (sentence: string) => notices.push(sentence);
    await using client = opened(await openStore(place.file, { onNotice }));
    await addOne(client);
    await using own = opened(await openStore(place.file, { serve: true, onNotice }));
    expect(available(await own.counts()).ready).toBe(1);
    expect(taken).toBe(0);
    expect(notices[0]).toContain(`belongs to another user (uid ${OTHER_UID})`);
  });

  it.runIf(isRoot)('is not used when another user owns it, wherever it is', async () => {
    await using folder = await tempFolder();
    const file = path.join(folder.path, 'x.db');
    let taken = 0;
    const server = createServer(() => {
      taken += 1;
    });
    await once(server.listen(socketPath(file)), 'listening');
    await using _closing = { [Symbol.asyncDispose]: async () => void server.close() };
    chownSync(socketPath(file), OTHER_UID, OTHER_UID);
    const notices: string[] = [];
    await using client = opened(await openStore(file, { onNotice: (sentence) => void notices.push(sentence) }));
    await addOne(client);
    expect([taken, notices]).toEqual([0, [expect.stringContaining('belongs to another user')]]);
  });

  it.runIf(isRoot)('cannot be connected to by another user', async () => {
    await using place = await longPlace();
    await using _broker = opened(await openStore(place.file, { serve: true }));
    const script = `require('node:net').connect(${JSON.stringify(socketPath(place.file))})
      .on('connect', () => process.exit(0)).on('error', (error) => { console.log(error.code); process.exit(1); })`;
    const child = spawn(process.execPath, ['-e', script], { uid: OTHER_UID, gid: OTHER_UID, cwd: '/', env: {} });
    let said = '';
    child.stdout.on('data', (chunk) => {
      said += chunk;
    });
    const { promise: could, resolve } = Promise.withResolvers<boolean>();
    // where the interpreter itself cannot be started as that user, nothing is shown
    child.once('error', () => resolve(false));
    child.once('close', () => resolve(true));
    if (await could) expect(said.trim()).toBe('EACCES');
    else console.warn('Not shown: no process can be started as another user here.');
  });
});

describe('a folder that others can write', () => {
  it('gets no socket beside its database', async () => {
    await using folder = await tempFolder();
    chmodSync(folder.path, 0o777);
    const file = path.join(folder.path, 'x.db');
    expect(path.dirname(socketPath(file))).not.toBe(folder.path);
    chmodSync(folder.path, 0o755);
    expect(socketPath(file)).toBe(`${file}.sock`);
  });
});
