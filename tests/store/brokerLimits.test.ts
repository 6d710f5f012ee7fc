import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { openStore } from '../../src/store/openStore.ts';
import { BROKER_LIMITS, type BrokerLimits } from '../../src/store/sqlite/broker/limits.ts';
import { serveBroker } from '../../src/store/sqlite/broker/serveBroker.ts';
import { socketPath } from '../../src/store/sqlite/broker/socketPath.ts';
import { openEngine } from '../../src/store/sqlite/openFile.ts';
import { directTransport } from '../../src/store/sqlite/transport.ts';
import { available } from '../../src/store/unavailable.ts';
import { systemClock } from '../../src/system/clock.ts';
import { add, addOne } from '../../src/testing/storeContract/steps.ts';
import { tempFolder } from '../../src/testing/tempFolder.ts';
import { HELLO, rawClient, servingProcess } from './support/rawClient.ts';
import { opened } from './support/sqliteStores.ts';

/** A broker in this process, with some limits so small that a test reaches them. */
async function served(limits: Partial<BrokerLimits>) {
  const folder = await tempFolder();
  const file = path.join(folder.path, 'x.db');
  const engine = openEngine({ path: file });
  if ('type' in engine) throw new Error(engine.reason);
  const broker = await serveBroker(directTransport(engine, systemClock), { ...BROKER_LIMITS, ...limits });
  if ('type' in broker) throw new Error(broker.reason);
  return {
    file,
    socket: broker.socket,
    /** A client of ours is served while a hostile one is connected. */
    serves: async () => {
      await using client = opened(await openStore(file));
      await addOne(client);
      return available(await client.counts()).ready > 0;
    },
    [Symbol.asyncDispose]: async () => {
      await broker[Symbol.asyncDispose]();
      await folder[Symbol.asyncDispose]();
    },
  };
}

const about = (id: number) => `{"id":${id},"operation":"about","request":{}}\n`;

describe('a process that serves a store', () => {
  it('hangs up on a client that never says which protocol it speaks', async () => {
    await using broker = await served({ helloMs: 50 });
    using client = await rawClient(broker.socket);
    await client.closed;
    expect(await broker.serves()).toBe(true);
  });

  it('hangs up on a line that does not end, however often another byte comes', async () => {
    await using broker = await served({ lineMs: 150 });
    using client = await rawClient(broker.socket);
    client.socket.write(`${HELLO}{`);
    const drip = setInterval(() => client.socket.write(' '), 10);
    await client.closed.finally(() => clearInterval(drip));
    expect(await broker.serves()).toBe(true);
  });

  it('leaves a client alone that is silent between its requests', async () => {
    await using broker = await served({ lineMs: 20, helloMs: 20 });
    using client = await rawClient(broker.socket);
    client.socket.write(`${HELLO}${about(1)}`);
    await expect.poll(() => client.received()).toContain('"id":1');
    // longer than both limits, by something that takes time of itself
    for (let n = 0; n < 20; n++) await broker.serves();
    client.socket.write(about(2));
    await expect.poll(() => client.received()).toContain('"id":2');
  });

  it('hangs up on a line that is too long before it has taken all of it', async () => {
    await using broker = await served({ longestRequest: 100_000 });
    using client = await rawClient(broker.socket);
    client.socket.write(HELLO);
    const piece = 'x'.repeat(50_000);
    let sent = 0;
    const send = () => {
      while (!client.socket.destroyed && sent < 50_000_000) {
        sent += piece.length;
        if (!client.socket.write(piece)) return void client.socket.once('drain', send);
      }
    };
    send();
    await client.closed;
    expect(sent).toBeLessThan(5_000_000);
    expect(await broker.serves()).toBe(true);
  });

  it('hangs up on a client that asks and never reads', async () => {
    await using broker = await served({ unreadBytes: 1_000_000 });
    {
      await using client = opened(await openStore(broker.file));
      await add(client, ...Array.from({ length: 50 }, (_, n) => `${n} ${'x'.repeat(20_000)}`));
    }
    using client = await rawClient(broker.socket);
    client.socket.pause();
    client.socket.write(HELLO);
    const list = (id: number) => `{"id":${id},"operation":"listTasks","request":{}}\n`;
    for (let id = 1; id <= 20; id++) client.socket.write(list(id));
    // each of these waits its turn behind a list
    for (let n = 0; n < 25; n++) expect(await broker.serves()).toBe(true);
    client.socket.resume();
    await client.closed;
    // a list has a million characters, and twenty were asked for
    expect(client.received().length).toBeLessThan(5_000_000);
  });

  it('reads no more than it can serve, and then the rest', async () => {
    await using broker = await served({ waitingRequests: 4 });
    using client = await rawClient(broker.socket);
    const ids = Array.from({ length: 500 }, (_, n) => n + 1);
    client.socket.write(HELLO + ids.map(about).join(''));
    await expect.poll(() => client.received().split('\n').length).toBe(502);
    expect(client.socket.destroyed).toBe(false);
  });

  it('hangs up on a client that opens waits without end', async () => {
    await using broker = await served({ openWaits: 10 });
    using client = await rawClient(broker.socket);
    const wait = (id: number) => `{"id":${id},"operation":"changed","request":{"withinMs":60000}}\n`;
    client.socket.write(HELLO + Array.from({ length: 11 }, (_, n) => wait(n)).join(''));
    await client.closed;
    expect(await broker.serves()).toBe(true);
  });

  it('takes no more connections than it can hold; who is not taken works at the file', async () => {
    await using broker = await served({ connections: 2 });
    using one = await rawClient(broker.socket);
    using two = await rawClient(broker.socket);
    using three = await rawClient(broker.socket);
    await three.closed;
    expect([one.socket.destroyed, two.socket.destroyed]).toEqual([false, false]);
    expect(await broker.serves()).toBe(true);
  });

  it('sends a client to the file for an answer that is too long', async () => {
    await using broker = await served({ longestReply: 2_000 });
    await using client = opened(await openStore(broker.file));
    await add(client, ...Array.from({ length: 40 }, (_, n) => `task ${n}`));
    const listed = available(await client.listTasks({}));
    expect(listed.tasks).toHaveLength(40);
  });

  it('says its protocol to a client of another one, and hangs up', async () => {
    await using broker = await served({});
    using client = await rawClient(broker.socket);
    client.socket.write(`{"stopgate":99}\n${about(1)}`);
    await client.closed;
    expect(client.received()).toBe(HELLO);
  });

  it('gives a client of the first protocol, which had no first line, a sentence that it throws', async () => {
    await using broker = await served({});
    using client = await rawClient(broker.socket);
    client.socket.write(about(7));
    await client.closed;
    const [first = ''] = client.received().split('\n');
    expect(JSON.parse(first)).toEqual({
      id: 7,
      bug: expect.stringContaining('so that all run the same version'),
    });
  });

  it('does not grow by what hostile clients send', { timeout: 60_000 }, async () => {
    await using folder = await tempFolder();
    const file = path.join(folder.path, 'x.db');
    await using serving = await servingProcess(file);
    const memory = () => Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${serving.child.pid}/status`, 'utf8'))?.[1]);
    const before = memory();
    // 8 clients, each as much as it can send until it is hung up on
    await Promise.all(
      Array.from({ length: 8 }, async () => {
        using client = await rawClient(socketPath(file));
        client.socket.write(HELLO);
        const piece = 'x'.repeat(1024 * 1024);
        let left = 75;
        const send = () => {
          while (!client.socket.destroyed && left-- > 0) {
            if (!client.socket.write(piece)) return void client.socket.once('drain', send);
          }
          client.socket.end();
        };
        send();
        await client.closed;
      }),
    );
    expect(serving.isAlive()).toBe(true);
    // 600 MB were sent; at most 16 MB of each are held together
    expect((memory() - before) / 1024).toBeLessThan(400);
  });
});
