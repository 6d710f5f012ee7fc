import { readdirSync, rmSync, statSync } from 'node:fs';
import path from 'node:path';
import type { Lease } from '../../store/types.ts';
import { attempt } from '../../system/attempt.ts';
import { openBoundedLog } from '../../system/boundedLog.ts';
import { keptToo, type Writer } from '../../system/writer.ts';

/** The newest output of an attempt is kept up to this size, and as much again of what came before it. */
const LOG_BYTES = 2 * 1024 * 1024;
const KEPT_MS = 14 * 24 * 60 * 60_000;

const folderOf = (stopgateHome: string) => path.join(stopgateHome, 'fleet', 'attempts');

/** What the agent of an attempt printed, on the host of its worker. */
export const attemptLogFile = (stopgateHome: string, { taskId, epoch }: Pick<Lease, 'taskId' | 'epoch'>): string =>
  path.join(folderOf(stopgateHome), `${taskId.replaceAll(/[^\w.-]/g, '-')}-${epoch}.log`);

export interface AttemptLog {
  /** The attempt that the agent works on now; the same one goes on. */
  use(lease: Lease | null): void;
  /** Also writes what passes into the log of the attempt. */
  over(writer: Writer): Writer;
}

/**
 * Keeps the output of agents by attempt. Its caller has removed the secrets. A log that cannot be written does not stop the worker.
 * `now`: the machine's time, to compare with that of files.
 */
export function attemptLog(stopgateHome: string, now: number): AttemptLog {
  let used: ({ readonly file: string } & ReturnType<typeof openBoundedLog>) | null = null;
  attempt(() => removeOld(stopgateHome, now), undefined);
  return {
    use: (lease) => {
      const file = lease === null ? null : attemptLogFile(stopgateHome, lease);
      if (file === used?.file) return;
      used?.close();
      used = file === null ? null : { file, ...openBoundedLog(file, LOG_BYTES) };
    },
    over: (writer) => keptToo(writer, (text) => used?.keep(text)),
  };
}

function removeOld(stopgateHome: string, now: number): void {
  const folder = folderOf(stopgateHome);
  for (const name of readdirSync(folder)) {
    const file = path.join(folder, name);
    if (now - attempt(() => statSync(file).mtimeMs, now) > KEPT_MS) rmSync(file, { force: true });
  }
}
