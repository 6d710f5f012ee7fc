import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openStore } from '../../src/store/openStore.ts';
import { socketPath } from '../../src/store/sqlite/broker/socketPath.ts';
import { available } from '../../src/store/unavailable.ts';
import { addOne } from '../../src/testing/storeContract/steps.ts';
import { type TempFolder, tempFolder } from '../../src/testing/tempFolder.ts';
import { HELLO, rawClient, servingProcess } from './support/rawClient.ts';
import { opened } from './support/sqliteStores.ts';

const deep = (levels: number) => `${'['.repeat(levels)}${']'.repeat(levels)}`;

/** Each is one line, without its end. */
const NONSENSE: readonly (readonly [string, string])[] = [
  ['no JSON', 'hello'],
  ['nothing', ''],
  ['half a frame', '{"id":1,"operation":'],
  ['null', 'null'],
  ['a number', '7'],
  ['a text', '"claim"'],
  ['a list', '[1,2]'],
  ['an empty object', '{}'],
  ['no id', '{"operation":"about","request":{}}'],
  ['an id that is no number', '{"id":{},"operation":"about","request":{}}'],
  ['an id that is infinite', '{"id":1e999,"operation":"about","request":{}}'],
  ['no request', '{"id":1,"operation":"about"}'],
  ['a request that is null', '{"id":1,"operation":"changed","request":null}'],
  ['a wait without end', '{"id":1,"operation":"changed","request":{"withinMs":1e999}}'],
  ['a wait that is no number', '{"id":1,"operation":"changed","request":{"withinMs":"x"}}'],
  ['no operation', '{"id":1,"operation":null,"request":{}}'],
  ['an unknown operation', '{"id":1,"operation":"drop","request":{}}'],
  ['the operation toString', '{"id":1,"operation":"toString","request":{}}'],
  ['the operation __proto__', '{"id":1,"operation":"__proto__","request":{}}'],
  ['the operation constructor', '{"id":1,"operation":"constructor","request":{}}'],
  ['a lease that is a list', '{"id":1,"operation":"complete","request":{"lease":[],"result":"x"}}'],
  ['deep nesting', `{"id":1,"operation":"addTasks","request":{"tasks":${deep(100_000)}}}`],
  ['a task without anything', '{"id":1,"operation":"addTasks","request":{"tasks":[{}]}}'],
  ['a move', '{"id":1,"operation":"startMove","request":{"to":"/tmp/elsewhere.db"}}'],
  ['the end of a move', '{"id":1,"operation":"cancelMove","request":{}}'],
];

describe('a process that serves a store', () => {
  let folder: TempFolder;
  let serving: Awaited<ReturnType<typeof servingProcess>>;
  let added = 0;

  beforeAll(async () => {
    folder = await tempFolder();
    serving = await servingProcess(path.join(folder.path, 'x.db'));
  });
  afterAll(async () => {
    await serving?.[Symbol.asyncDispose]();
    await folder[Symbol.asyncDispose]();
  });

  it.each(NONSENSE)('hangs up on %s, and goes on serving others', async (_what, line) => {
    const file = path.join(folder.path, 'x.db');
    using first = await rawClient(socketPath(file));
    first.socket.write(`${line}\n`);
    await first.closed;
    using second = await rawClient(socketPath(file));
    second.socket.write(`${HELLO}${line}\n`);
    await second.closed;
    expect(serving.isAlive()).toBe(true);
    await using client = opened(await openStore(file));
    await addOne(client);
    const { movedTo } = available(await client.about());
    expect([available(await client.counts()).ready, movedTo]).toEqual([++added, null]);
  });
});
