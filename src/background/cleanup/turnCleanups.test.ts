import { existsSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { systemClock } from '../../system/clock.ts';
import { systemIds } from '../../system/ids.ts';
import { noLog } from '../../system/log.ts';
import { tempFolder } from '../../testing/tempFolder.ts';
import { computerUse, computerUseLockFile } from './computerUseLock.ts';
import { turnCleanups } from './turnCleanups.ts';

describe('turnCleanups', () => {
  it('puts back what tools took, the latest first, once', async () => {
    const done: string[] = [];
    const cleanups = turnCleanups(noLog);
    cleanups.register('first', () => void done.push('first'));
    const takeBack = cleanups.register('second', () => void done.push('second'));
    cleanups.register('third', async () => void done.push('third'));
    takeBack();
    await cleanups.run();
    await cleanups.run();
    expect(done).toEqual(['third', 'first']);
  });

  it('a failure is logged and keeps nobody else from it', async () => {
    const done: string[] = [];
    const logged: object[] = [];
    const cleanups = turnCleanups((name, fields) => logged.push({ event: name, ...fields }));
    cleanups.register('first', () => void done.push('first'));
    cleanups.register('screen', () => Promise.reject(new Error('no display')));
    await cleanups.run();
    expect(done).toEqual(['first']);
    expect(logged).toEqual([{ event: 'turn_cleanup_failed', name: 'screen', error: 'no display' }]);
  });
});

describe('computerUse', () => {
  it('is one process’s for a turn, and restored before it is let go', async () => {
    await using folder = await tempFolder();
    const stopgateHome = folder.path;
    const facts = { stopgateHome, clock: systemClock, ids: systemIds };
    const cleanups = turnCleanups(noLog);
    const mine = computerUse({ ...facts, cleanups });
    const other = computerUse({ ...facts, cleanups: turnCleanups(noLog) });
    let lockedWhileRestoring = false;
    const restore = async () => {
      lockedWhileRestoring = existsSync(computerUseLockFile(stopgateHome));
    };
    expect(await mine.acquire(restore)).toBeUndefined();
    expect(await mine.acquire()).toBeUndefined();
    expect(await other.acquire()).toMatch(/in use by another Stopgate process \(\d+\)/);
    await cleanups.run();
    expect(lockedWhileRestoring).toBe(true);
    expect(existsSync(computerUseLockFile(stopgateHome))).toBe(false);
    expect(await other.acquire()).toBeUndefined();
  });
});
