import { rename, stat, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { openStore } from '../../src/store/openStore.ts';
import {
  encodeFrame,
  frameReader,
  PROTOCOL,
  protocolOf,
  type RequestFrame,
} from '../../src/store/sqlite/broker/frames.ts';
import { socketPath } from '../../src/store/sqlite/broker/socketPath.ts';
import { available } from '../../src/store/unavailable.ts';
import { add, addOne, claim, newKey, worker } from '../../src/testing/storeContract/steps.ts';
import { tempFolder } from '../../src/testing/tempFolder.ts';
import { opened } from './support/sqliteStores.ts';

async function served(folder: string) {
  const file = path.join(folder, 'x.db');
  const broker = opened(await openStore(file, { serve: true }));
  const client = opened(await openStore(file));
  return { file, broker, client };
}

/** Takes connections like a process that was stopped, until it is told to answer. */
async function stoppedBroker(file: string) {
  const broker = { file, connections: 0, answers: false, protocol: PROTOCOL };
  const server = createServer((connection) => {
    broker.connections += 1;
    connection.setEncoding('utf8');
    const { read } = frameReader({
      longest: 1_000_000,
      onNonsense: () => connection.destroy(),
      onFrame: (frame) => {
        if (!broker.answers) return;
        const isHello = protocolOf(frame) !== undefined;
        const { id } = frame as RequestFrame;
        const reply = { id, outcome: { type: 'about', generation: 77 } };
        connection.write(encodeFrame(isHello ? { stopgate: broker.protocol } : reply));
      },
    });
    connection.on('data', read);
    connection.on('error', () => {});
    connection.unref();
  });
  const made = `${socketPath(file)}.${Math.random()}`;
  await new Promise<void>((resolve) => server.listen(made, resolve));
  await rename(made, socketPath(file));
  return Object.assign(broker, { [Symbol.asyncDispose]: async () => void server.close() });
}

describe('a store that one process serves to others', () => {
  it('has a socket that only its owner may use', async () => {
    await using folder = await tempFolder();
    const { file, broker, client } = await served(folder.path);
    const { mode } = await stat(socketPath(file));
    expect(mode & 0o777).toBe(0o600);
    await client.close();
    await broker.close();
    await expect(stat(socketPath(file))).rejects.toThrow('ENOENT');
  });

  it('goes on at the file when the one that serves is gone, with the same claim', async () => {
    await using folder = await tempFolder();
    const { broker, client } = await served(folder.path);
    await add(client, 'one', 'two');
    const by = await worker(client);
    const claimKey = newKey();
    const first = await claim(client, by, { claimKey });
    await broker.close();
    expect(await client.claim({ ...by, claimKey })).toEqual(first);
    expect(await client.complete({ lease: first.lease, result: 'x' })).toMatchObject({ type: 'accepted' });
    await client.close();
  });

  it('is found again by those who went to the file meanwhile', async () => {
    await using folder = await tempFolder();
    const { file, broker, client } = await served(folder.path);
    await broker.close();
    await addOne(client, 'at the file');
    await using again = opened(await openStore(file, { serve: true }));
    await addOne(client, 'through the new one');
    expect(available(await again.counts()).ready).toBe(2);
    await client.close();
  });

  it('is passed by when a dead process left its socket behind', async () => {
    await using folder = await tempFolder();
    const file = path.join(folder.path, 'x.db');
    await writeFile(socketPath(file), '');
    await using store = opened(await openStore(file, { serve: true }));
    await using client = opened(await openStore(file));
    await addOne(client);
    expect(available(await store.counts()).ready).toBe(1);
  });

  it('is waited for once when it takes connections and answers nothing, and then passed by', async () => {
    await using folder = await tempFolder();
    await using stopped = await stoppedBroker(path.join(folder.path, 'x.db'));
    await using client = opened(await openStore(stopped.file));
    for (const title of ['one', 'two', 'three', 'four']) await addOne(client, title);
    expect(available(await client.counts()).ready).toBe(4);
    expect(stopped.connections).toBe(1);
  });

  it('is used again when it answers again', async () => {
    await using folder = await tempFolder();
    await using stopped = await stoppedBroker(path.join(folder.path, 'x.db'));
    await using client = opened(await openStore(stopped.file));
    expect(available(await client.about()).generation).toBe(1);
    stopped.answers = true;
    await expect.poll(async () => available(await client.about()).generation).toBe(77);
  });

  it('is passed by for another one in its place', async () => {
    await using folder = await tempFolder();
    await using stopped = await stoppedBroker(path.join(folder.path, 'x.db'));
    await using client = opened(await openStore(stopped.file));
    await addOne(client);
    await using other = await stoppedBroker(stopped.file);
    other.answers = true;
    await expect.poll(async () => available(await client.about()).generation, { timeout: 1_000 }).toBe(77);
    expect([stopped.connections, other.connections]).toEqual([1, 1]);
  });

  it('is passed by, with a sentence, when it speaks another protocol', async () => {
    await using folder = await tempFolder();
    await using stopped = await stoppedBroker(path.join(folder.path, 'x.db'));
    Object.assign(stopped, { answers: true, protocol: 99 });
    const notices: string[] = [];
    const onNotice = (sentence: string) => void notices.push(sentence);
    await using client = opened(await openStore(stopped.file, { onNotice }));
    for (const title of ['one', 'two', 'three']) await addOne(client, title);
    expect(available(await client.about()).generation).toBe(1);
    expect(notices).toEqual([
      expect.stringMatching(/speaks protocol 99, but this Stopgate speaks protocol \d+; restart/),
    ]);
  });

  it('is not asked to move: who moves a store does it at the file, and those who are served learn of it', async () => {
    await using folder = await tempFolder();
    const { broker, client } = await served(folder.path);
    await addOne(client);
    expect(await client.startMove({ to: '/elsewhere.db' })).toEqual({ type: 'moving' });
    expect(await broker.addTasks({ tasks: [{ title: 'late' }] })).toMatchObject({
      type: 'unavailable',
      cause: 'moved',
    });
    expect(await client.cancelMove()).toEqual({ type: 'cancelled' });
    await addOne(broker);
    expect(available(await client.counts()).ready).toBe(2);
    await client.close();
    await broker.close();
  });

  it('wakes who waits at another process', async () => {
    await using folder = await tempFolder();
    const { broker, client } = await served(folder.path);
    const waiting = client.waitForWork({ timeoutMs: 20_000 });
    await addOne(broker);
    expect(await waiting).toEqual({ type: 'ready' });
    const controller = new AbortController();
    const other = client.waitForWork({ timeoutMs: 20_000, queue: 'other', signal: controller.signal });
    controller.abort();
    expect(await other).toEqual({ type: 'aborted' });
    await client.close();
    await broker.close();
  });
});
