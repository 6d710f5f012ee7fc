import { existsSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { turnCleanups } from '../../query/stop/stopWork.ts';
import { systemClock } from '../../system/clock.ts';
import { systemIds } from '../../system/ids.ts';
import { noLog } from '../../system/log.ts';
import { tempFolder } from '../../testing/tempFolder.ts';
import { computerUse, computerUseLockFile } from './computerUseLock.ts';

describe('computerUse', () => {
  it('belongs to one process for a turn, and is restored before it is released', async () => {
    await using folder = await tempFolder();
    const stopgateHome = folder.path;
    const facts = { stopgateHome, clock: systemClock, ids: systemIds };
    const cleanups = turnCleanups(noLog);
    const mine = computerUse(facts, cleanups);
    const other = computerUse(facts, turnCleanups(noLog));
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
