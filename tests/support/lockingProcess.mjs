// Takes a lock and lets it go, again and again, beside others that do the same. Prints how often it was not alone.
import { mkdirSync, rmdirSync } from 'node:fs';
import { setImmediate } from 'node:timers/promises';
import { systemClock } from '../../src/system/clock.ts';
import { systemIds } from '../../src/system/ids.ts';
import { takeLock } from '../../src/system/pidLock.ts';

const [, , folder, times] = process.argv;
let together = 0;
for (let done = 0; done < Number(times); ) {
  const attempt = await takeLock({ file: `${folder}/lock`, clock: systemClock, ids: systemIds });
  if (attempt.type === 'taken') continue;
  done++;
  try {
    // only one can make it
    mkdirSync(`${folder}/inside`);
    await setImmediate();
    rmdirSync(`${folder}/inside`);
  } catch {
    together++;
  }
  await attempt.lock.release();
}
process.stdout.write(`${together}`);
