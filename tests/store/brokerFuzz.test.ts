import path from 'node:path';
import { expect, it } from 'vitest';
import { openStore } from '../../src/store/openStore.ts';
import { OPERATION_NAMES } from '../../src/store/operationsOver.ts';
import { socketPath } from '../../src/store/sqlite/broker/socketPath.ts';
import { available } from '../../src/store/unavailable.ts';
import { addOne } from '../../src/testing/storeContract/steps.ts';
import { tempFolder } from '../../src/testing/tempFolder.ts';
import { seededRandom } from '../support/random.ts';
import { HELLO, rawClient, servingProcess } from './support/rawClient.ts';
import { opened } from './support/sqliteStores.ts';

const FRAMES = 10_000;
const CONNECTIONS_TOGETHER = 20;
const FRAMES_EACH = 5;

const KEYS = [
  ...['taskId', 'lease', 'workerId', 'incarnation', 'claimKey', 'tasks', 'result', 'error', 'queue', 'types', 'limit'],
  ...[
    'withinMs',
    'key',
    'until',
    'name',
    'holder',
    'ttlMs',
    'epoch',
    'id',
    'after',
    'details',
    'next',
    'actor',
    'slot',
  ],
  ...['__proto__', 'constructor', 'prototype', 'toString', 'length', 'then', ''],
];
const OPERATIONS = [...OPERATION_NAMES, 'probe', 'changed', 'startMove', 'cancelMove', '__proto__', 'valueOf', '', 'x'];
const NUMBERS = [
  '0',
  '-0',
  '-1',
  '1e308',
  '1e999',
  '-1e999',
  '9007199254740993',
  '0.1',
  '1e-320',
  '18446744073709551616',
];
const TEXTS = [
  '""',
  '"x"',
  '"\\u0000"',
  '"\\ud800"',
  '"🚦"',
  '"%s%n"',
  '"\'; DROP TABLE tasks; --"',
  `"${'y'.repeat(5_000)}"`,
];

it(`survives ${FRAMES} random frames, and serves a good client meanwhile`, { timeout: 240_000 }, async () => {
  const seed = Number(process.env.STOPGATE_FUZZ_SEED ?? 14);
  const random = seededRandom(seed);
  const pick = <Item>(items: readonly Item[]): Item => items[Math.floor(random() * items.length)] as Item;
  const value = (depth: number): string => {
    const kind = random();
    if (depth === 0 || kind < 0.3) return pick([...NUMBERS, ...TEXTS, 'true', 'false', 'null']);
    if (kind < 0.4) return `${'['.repeat(2_000)}${']'.repeat(2_000)}`;
    const parts = Array.from({ length: Math.floor(random() * 5) }, () => value(depth - 1));
    if (kind < 0.6) return `[${parts.join(',')}]`;
    return `{${parts.map((part) => `${JSON.stringify(pick(KEYS))}:${part}`).join(',')}}`;
  };
  const frame = (): string => {
    const whole = `{"id":${random() < 0.8 ? 1 : value(1)},"operation":${random() < 0.9 ? JSON.stringify(pick(OPERATIONS)) : value(1)},"request":${value(3)}}`;
    const kind = random();
    if (kind < 0.1) return whole.slice(0, Math.floor(random() * whole.length));
    if (kind < 0.15) return value(3);
    if (kind < 0.2) return String.fromCharCode(...Array.from({ length: 40 }, () => Math.floor(random() * 256)));
    return whole;
  };

  await using folder = await tempFolder();
  const file = path.join(folder.path, 'x.db');
  await using serving = await servingProcess(file);
  await using good = opened(await openStore(file));
  let errors = '';
  serving.child.stderr?.on('data', (chunk) => {
    errors += chunk;
  });
  const attack = async () => {
    using client = await rawClient(socketPath(file));
    const greeting = random() < 0.95 ? HELLO : '';
    client.socket.end(`${greeting}${Array.from({ length: FRAMES_EACH }, frame).join('\n')}\n`);
    await client.closed;
  };
  for (let sent = 0; sent < FRAMES; sent += CONNECTIONS_TOGETHER * FRAMES_EACH) {
    await Promise.all(Array.from({ length: CONNECTIONS_TOGETHER }, attack));
    await addOne(good, `after ${sent} frames`);
  }
  expect([serving.isAlive(), errors]).toEqual([true, '']);
  const served = FRAMES / (CONNECTIONS_TOGETHER * FRAMES_EACH);
  const listed = available(await good.listTasks({ limit: 1_000 })).tasks;
  expect(listed.filter(({ title }) => title.startsWith('after '))).toHaveLength(served);
  // what got in is sound: it can be read, and the store was not moved
  expect(available(await good.about()).movedTo).toBeNull();
  expect(available(await good.events({ limit: 100_000 })).events.length).toBeGreaterThanOrEqual(served);
});
