import { readdirSync, rmSync, statSync } from 'node:fs';
import path from 'node:path';
import { attempt } from '../../../system/attempt.ts';
import { openBoundedLog } from '../../../system/boundedLog.ts';
import { ownName } from '../../../system/thisHost.ts';
import { keptToo, type Writer } from '../../../system/writer.ts';
import { fleetFolder, LOG_BYTES, workerLog } from '../fleet/fleetFolder.ts';

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
  attempt(() => removeOld(kept), undefined);
  const { keep, close } = openBoundedLog(workerLog(kept.stopgateHome, kept.workerId), LOG_BYTES);
  return { ...keptToo(writer, keep), [Symbol.dispose]: close };
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
