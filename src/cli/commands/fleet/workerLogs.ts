import { readdirSync } from 'node:fs';
import path from 'node:path';
import { isSlotOf } from '../../../fleet/coordinator/fleetSettings.ts';
import { boundLog } from '../../../system/boundedLog.ts';
import { fleetFolder } from './coordinatorRecords.ts';

export const LOG_BYTES = 10 * 1024 * 1024;
const CHECK_EVERY_MS = 60_000;

export const workerLog = (stopgateHome: string, slot: string) => path.join(fleetFolder(stopgateHome), `${slot}.log`);

/** Trims the logs of running workers, which may run for weeks. */
export function keepLogsSmall(stopgateHome: string, fleet: string): Disposable {
  const folder = fleetFolder(stopgateHome);
  const trim = () => {
    for (const name of readdirSync(folder)) {
      if (name.endsWith('.log') && isSlotOf(fleet, name.slice(0, -4))) boundLog(path.join(folder, name), LOG_BYTES);
    }
  };
  const timer = setInterval(trim, CHECK_EVERY_MS);
  timer.unref();
  return { [Symbol.dispose]: () => clearInterval(timer) };
}
