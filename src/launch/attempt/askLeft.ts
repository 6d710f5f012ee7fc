import { askCompletion } from '../../stop/askCompletion.ts';
import { readSession } from '../../stop/readLedger.ts';
import { readStart, taskSession } from '../../stop/startFile.ts';
import { WORKER } from '../../stop/worker/workerIdentity.ts';
import type { Lease } from '../../store/types.ts';
import type { World } from '../../system/world.ts';

export interface LeftWork {
  readonly lease: Lease;
  /** Where its agent worked. */
  readonly folder: string;
  readonly world: Pick<World, 'env' | 'stopgateHome' | 'clock' | 'processes'>;
  readonly report: (sentence: string) => void;
}

/** Checks the definition of done for an agent whose exit code completes its task. */
export async function askLeft({ lease, folder, world, report }: LeftWork): Promise<string | null> {
  const { env, stopgateHome, clock, processes } = world;
  const session = taskSession(lease);
  const why = await askCompletion({
    folder,
    session,
    worker: lease.workerId,
    start: readStart(stopgateHome, session),
    // so that the ledger has whose task it was
    env: { ...env, [WORKER]: lease.workerId },
    stopgateHome,
    clock,
    processes,
    signal: new AbortController().signal,
  });
  const last = readSession(stopgateHome, session).findLast((one) => one.type === 'stop');
  if (last?.ending) report(`checks: ${last.ending.reason}`);
  return why;
}
