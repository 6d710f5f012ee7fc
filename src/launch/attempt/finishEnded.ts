import { leaseTimes } from '../../fleet/decisions/leaseTimes.ts';
import { heldAt } from '../../fleet/worker/heldBy.ts';
import type { EndedRecord } from '../../schemas/endedRecord.ts';
import { endedRecords, removeEnded } from '../../store/outbox/endedFile.ts';
import { locationsOf } from '../../store/outbox/locationsOf.ts';
import type { Attempt, Lease, Store } from '../../store/types.ts';
import { isProcessGone } from '../../system/processLife.ts';
import { secretValues } from '../../system/secretPolicy.ts';
import { isSameHost, thisHost } from '../../system/thisHost.ts';
import type { World } from '../../system/world.ts';
import { askLeft } from './askLeft.ts';
import { settleLeft } from './settleLeft.ts';
import { keepOf } from './taskFolders.ts';

export interface Finishing {
  /** Its settlements are on disk before they are sent. */
  readonly store: Store;
  readonly location: string;
  readonly world: Pick<World, 'processes' | 'env' | 'stopgateHome' | 'clock'>;
  readonly report: (sentence: string) => void;
}

/** The slots of a process begin together. */
const underWay = new Set<string>();
const reported = new Set<string>();

/**
 * Settles what agents had finished whose workers are gone, as those would have done: finished work is not done again. Called when what
 * is in the outbox is delivered and before a task is taken back; later it is still accepted until the task is claimed again.
 */
export async function finishEnded(finishing: Finishing): Promise<void> {
  const { store, location, world, report } = finishing;
  const onForged = (file: string) => {
    if (!reported.has(file)) report(`${file} was not written by Stopgate, so it completes no task; look at it`);
    reported.add(file);
  };
  const records = await endedRecords(world.stopgateHome, onForged);
  if (records.length === 0) return;
  const locations = await locationsOf(store, location);
  for (const record of records) {
    const { taskId, attemptId } = record.lease;
    if (!locations.includes(record.store) || underWay.has(attemptId) || isWorking(record)) continue;
    underWay.add(attemptId);
    try {
      const found = await store.attempts({ taskId });
      if (found.type === 'unavailable') continue;
      const attempt = found.attempts.find(({ id }) => id === attemptId);
      if (attempt !== undefined) await finish(finishing, record, attempt);
      else if (record.store === location) drop(finishing, record);
    } catch (error) {
      // the task goes back to the queue, as that of any worker that is gone
      report(`task ${taskId}, which its agent had finished, could not be settled: ${(error as Error).message}`);
      removeEnded(world.stopgateHome, attemptId);
    } finally {
      underWay.delete(attemptId);
    }
  }
}

/** Of a container that is gone this is known only when its worker has been silent for a while. */
export async function watchEnded(finishing: Finishing, everyMs: number, until: AbortSignal): Promise<void> {
  while (!until.aborted) {
    await finishEnded(finishing);
    await finishing.world.clock.sleep(everyMs, until);
  }
}

/** The task was pruned meanwhile. */
function drop({ world, report }: Finishing, { lease }: EndedRecord): void {
  const what = `attempt ${lease.epoch}, which its agent had finished, is not settled`;
  report(`task ${lease.taskId}: ${what}: the store does not know it any more`);
  removeEnded(world.stopgateHome, lease.attemptId);
}

const isWorking = ({ process }: EndedRecord) => isSameHost(process.host, thisHost()) && !isProcessGone(process);

/** Not settled by its worker, and not ended by a person. */
const OPEN: ReadonlySet<Attempt['state']> = new Set(['active', 'lost']);

/** For so long that it has ended its agent if it is only cut off; no other worker may have its task yet. */
async function isSilent(store: Store, { workerId, incarnation }: Lease): Promise<boolean> {
  const [about, { worker, now }] = await Promise.all([store.about({}), heldAt(store, workerId, incarnation)]);
  if (about.type === 'unavailable' || worker === null || now === null) return false;
  return now - worker.heartbeatAt >= leaseTimes(about.leaseMs ?? undefined).fenceAfterMs;
}

async function finish({ store, world, report }: Finishing, record: EndedRecord, attempt: Attempt): Promise<void> {
  const { lease, folder, tail, process } = record;
  const { stopgateHome, clock, env } = world;
  // of a machine or container whose disk this is: whether its worker lives is for the store to say
  if (attempt.state === 'active' && !isProcessGone(process) && !(await isSilent(store, lease))) return;
  // in another folder, other work would be checked
  const { worktree = folder } = attempt.details;
  if (worktree !== folder) throw new Error(`its agent worked in ${worktree}, not in ${folder}`);
  if (OPEN.has(attempt.state)) {
    report(`task ${lease.taskId}: its agent had finished before its worker ${lease.workerId} was gone`);
    const details = await keepOf(store, lease, { ...world, cwd: folder });
    const isAccepted = await settleLeft({
      ...{ store, clock, lease, tail, details, secrets: secretValues(env), account: '' },
      end: { ending: 'clean', why: 'it ended by itself' },
      exitCodeCounts: true,
      whyNotDone: () => askLeft({ lease, folder, world, report }),
    });
    if (!isAccepted)
      report(`task ${lease.taskId}: what its agent had finished does not complete it; see \`task show\``);
  }
  removeEnded(stopgateHome, lease.attemptId);
}
