import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, utimesSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { sizeOf } from '../../tests/support/testSize.ts';
import { tempFolder } from '../testing/tempFolder.ts';
import { systemClock } from './clock.ts';
import { systemIds } from './ids.ts';
import { readHolder, takeLock } from './pidLock.ts';
import { startOfProcess } from './processLife.ts';
import { thisHost } from './thisHost.ts';

/** Each of eight processes. */
const TAKES = String(sizeOf({ small: 15, full: 100 }));
const ROUNDS = sizeOf({ small: 20, full: 60 });

const facts = (file: string) => ({ file, clock: systemClock, ids: systemIds });
const holder = (more: object) => JSON.stringify({ pid: 1, host: hostname(), token: 't', takenAt: Date.now(), ...more });

/** The id of a process that was there and is gone. */
async function deadPid(): Promise<number> {
  const child = spawn('true');
  await once(child, 'close');
  return child.pid ?? 0;
}

describe('takeLock', () => {
  it('is held by one, free again when released, and leaves nothing behind', async () => {
    await using folder = await tempFolder();
    const file = path.join(folder.path, 'deep', 'lock');
    const first = await takeLock(facts(file));
    if (first.type !== 'held') throw new Error('taken');
    expect(await takeLock(facts(file))).toMatchObject({ type: 'taken', by: { pid: process.pid } });
    await first.lock.release();
    expect(existsSync(file)).toBe(false);
    expect(await takeLock(facts(file))).toMatchObject({ type: 'held' });
    expect(readdirSync(path.dirname(file))).toEqual(['lock']);
  });

  it.each<[string, () => Promise<string>, 'held' | 'taken']>([
    ['a process that is gone', async () => holder({ pid: await deadPid() }), 'held'],
    [
      'a process that is there',
      async () => holder({ pid: process.pid, startedAt: startOfProcess(process.pid) }),
      'taken',
    ],
    ['another process with the same pid', async () => holder({ pid: process.pid, startedAt: '1' }), 'held'],
    ['no process: the file is torn', async () => '{"pid":', 'held'],
    [
      'a dead process of this machine, which had another name',
      async () => holder({ pid: await deadPid(), host: thisHost().replace(/^[^#]*/, 'renamed') }),
      'held',
    ],
    [
      'another machine with the same name',
      async () => holder({ pid: await deadPid(), host: `${hostname()}#0000000000.1111111111` }),
      'taken',
    ],
    ['another machine, just now', async () => holder({ host: 'elsewhere' }), 'taken'],
    ['another machine, yesterday', async () => holder({ host: 'elsewhere', takenAt: Date.now() - 86_400_000 }), 'held'],
  ])('held by %s', async (_name, content, outcome) => {
    await using folder = await tempFolder();
    const file = path.join(folder.path, 'lock');
    writeFileSync(file, await content());
    expect((await takeLock(facts(file))).type).toBe(outcome);
  });

  it('of many that see a dead holder, one gets it, again and again', async () => {
    await using folder = await tempFolder();
    const dead = holder({ pid: await deadPid() });
    for (let round = 0; round < ROUNDS; round++) {
      const file = path.join(folder.path, `lock-${round}`);
      writeFileSync(file, dead);
      const attempts = await Promise.all(Array.from({ length: 12 }, () => takeLock(facts(file))));
      expect(attempts.filter(({ type }) => type === 'held')).toHaveLength(1);
    }
    expect(readdirSync(folder.path)).toHaveLength(ROUNDS);
  });

  it('is held by one process at a time while many take and release it', { timeout: 120_000 }, async () => {
    await using folder = await tempFolder();
    const script = path.join(import.meta.dirname, '../../tests/support/lockingProcess.mjs');
    const run = promisify(execFile);
    const all = Array.from({ length: 8 }, () => run(process.execPath, [script, folder.path, TAKES]));
    expect((await Promise.all(all)).map(({ stdout }) => stdout)).toEqual(Array(8).fill('0'));
    expect(readdirSync(folder.path)).toEqual([]);
  });

  it('clears away what killed processes left beside it, and nothing else', async () => {
    await using folder = await tempFolder();
    const file = path.join(folder.path, 'lock');
    const dead = holder({ pid: await deadPid() });
    const alive = holder({ pid: process.pid, startedAt: startOfProcess(process.pid) });
    const left = (ending: string, content: string) => writeFileSync(`${file}${ending}`, content);
    left('.01234567-89ab-4def-8123-456789abcdef', dead);
    left('.takeover', dead);
    left('.takeover.01234567-89ab-4def-8123-456789abcdef', dead);
    left('.76543210-89ab-4def-8123-456789abcdef', '{"pi');
    utimesSync(`${file}.76543210-89ab-4def-8123-456789abcdef`, 1, 1);
    left('.fedcba98-89ab-4def-8123-456789abcdef', alive);
    left('.json', dead);
    expect(await takeLock(facts(file))).toMatchObject({ type: 'held' });
    expect(readdirSync(folder.path).toSorted()).toEqual([
      'lock',
      'lock.fedcba98-89ab-4def-8123-456789abcdef',
      'lock.json',
    ]);
  });

  it('does not release what is no longer its own', async () => {
    await using folder = await tempFolder();
    const file = path.join(folder.path, 'lock');
    const first = await takeLock(facts(file));
    if (first.type !== 'held') throw new Error('taken');
    writeFileSync(file, holder({ token: 'another process' }));
    await first.lock.release();
    expect(await readHolder(file)).toMatchObject({ token: 'another process' });
  });
});
