import { closeSync, fdatasyncSync, fsyncSync, openSync, rmSync, writeSync } from 'node:fs';
import path from 'node:path';
import { performance } from 'node:perf_hooks';

const BLOCK = 4096;
const FILE_MB = 32;

/** The limit of the disk itself: repeatedly writes and syncs one block of an existing file. */
export function openDiskLimit(folder) {
  const file = path.join(folder, 'disk-limit');
  const fd = openSync(file, 'w+');
  const megabyte = Buffer.alloc(1 << 20, 1);
  for (let n = 0; n < FILE_MB; n++) writeSync(fd, megabyte, 0, megabyte.length, n << 20);
  fsyncSync(fd);
  const block = Buffer.alloc(BLOCK, 2);
  let at = 0;
  return {
    /** The number of writes, their total time, and the slowest one. */
    measure: (windowMs) => {
      const startedAt = performance.now();
      let count = 0;
      let worstMs = 0;
      for (let now = startedAt; now - startedAt < windowMs; count++) {
        writeSync(fd, block, 0, BLOCK, at);
        fdatasyncSync(fd);
        at = (at + BLOCK) % (FILE_MB << 20);
        const writtenAt = performance.now();
        worstMs = Math.max(worstMs, writtenAt - now);
        now = writtenAt;
      }
      return { count, ms: performance.now() - startedAt, worstMs };
    },
    [Symbol.dispose]: () => {
      closeSync(fd);
      rmSync(file, { force: true });
    },
  };
}
