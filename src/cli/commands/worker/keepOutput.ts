import { closeSync, mkdirSync, openSync, readdirSync, rmSync, statSync, writeSync } from 'node:fs';
import path from 'node:path';
import { attempt } from '../../../system/attempt.ts';
import { boundLog } from '../../../system/boundedLog.ts';
import { terminalText } from '../../../system/terminalText.ts';
import { ownName } from '../../../system/thisHost.ts';
import { keptToo, type Writer } from '../../../system/writer.ts';
import { fleetFolder, LOG_BYTES, workerLog } from '../fleet/fleetFolder.ts';

const CHECK_EVERY_BYTES = 1024 * 1024;
const KEPT_MS = 7 * 24 * 60 * 60_000;

interface Kept {
  readonly stopgateHome: string;
  readonly workerId: string;
  /** The machine's time, to compare with that of files. */
  readonly now: number;
}

/**
 * Also writes a worker's output into its log, where `fleet status --watch` follows it, as that of workers which a coordinator
 * started. The log is kept below a size; a log that cannot be written does not stop the worker.
 */
export function keepOutput(writer: Writer, kept: Kept): Writer & Disposable {
  const file = workerLog(kept.stopgateHome, kept.workerId);
  const descriptor = attempt(() => {
    mkdirSync(fleetFolder(kept.stopgateHome), { recursive: true, mode: 0o700 });
    removeOld(kept);
    boundLog(file, LOG_BYTES);
    return openSync(file, 'a', 0o600);
  }, null);
  let unchecked = 0;
  const keep = (text: string) => {
    if (descriptor === null || text === '') return;
    unchecked += attempt(() => writeSync(descriptor, terminalText(text)), 0);
    if (unchecked < CHECK_EVERY_BYTES) return;
    unchecked = 0;
    boundLog(file, LOG_BYTES);
  };
  return {
    ...keptToo(writer, keep),
    [Symbol.dispose]: () => {
      if (descriptor !== null) attempt(() => closeSync(descriptor), undefined);
    },
  };
}

/** A worker without `--slot` has a new name each time, so its logs would pile up. */
function removeOld({ stopgateHome, now }: Kept): void {
  const folder = fleetFolder(stopgateHome);
  const host = ownName();
  for (const name of readdirSync(folder)) {
    const [, ending = ''] = name.startsWith(`${host}-`)
      ? (/^(\d+(?:-\d+)?\.log(?:\.1)?)$/.exec(name.slice(host.length + 1)) ?? [])
      : [];
    const file = path.join(folder, name);
    if (ending !== '' && now - attempt(() => statSync(file).mtimeMs, now) > KEPT_MS) rmSync(file, { force: true });
  }
}
