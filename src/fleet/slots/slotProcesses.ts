import type { SlotOrder } from '../../schemas/slotProcess.ts';
import { type Clock, endsWithin } from '../../system/clock.ts';
import type { DetachedStart } from '../../system/detachedProcess.ts';
import { signalProcess } from '../../system/markedProcesses.ts';
import { signalGroup } from '../../system/processGroup.ts';
import { isSameProcess } from '../../system/processLife.ts';
import type { WorkerProcess, WorkerProcesses } from '../coordinator/coordinatorWorld.ts';
import { markedOf, workerProcesses } from '../coordinator/workerProcesses.ts';
import { type OrderedSlot, orderSlot } from './orderSlot.ts';
import { slotRecordReader, slotSocket } from './slotRecord.ts';

const CHECK_EVERY_MS = 50;
/** A process that survives SIGKILL for this long hangs in the kernel. */
const KILL_MS = 3_000;

interface SlotProcessesOptions {
  readonly clock: Clock;
  readonly stopgateHome: string;
  readonly storeLocation: string;
}

/** The processes of workers, of which some are slots of one process: what is done to a slot leaves the others alone. */
export function slotProcesses({ clock, stopgateHome, storeLocation }: SlotProcessesOptions): WorkerProcesses {
  const alone = workerProcesses(clock, storeLocation);
  const recordOf = slotRecordReader(stopgateHome);
  const shared = ({ pid, pidStart }: WorkerProcess) => (pid === null ? null : recordOf({ pid, pidStart }));
  const order = (how: SlotOrder['order'], { pid, id: slot, incarnation }: WorkerProcess): Promise<OrderedSlot> =>
    orderSlot({ order: how, slot, incarnation }, { socket: slotSocket(stopgateHome, pid ?? 0), clock });
  const runs = (process: WorkerProcess): boolean =>
    alone.strangerSight(process) === 'running' && shared(process)?.slots[process.id] === process.incarnation;
  const marked = (process: WorkerProcess) => markedOf(storeLocation, process);
  const goneWithin = (process: WorkerProcess, ms: number) =>
    endsWithin(clock, ms, () => runs(process) || marked(process).length > 0, CHECK_EVERY_MS);
  const killMarked = (process: WorkerProcess) => {
    for (const pid of marked(process)) signalProcess(pid, 'SIGKILL');
  };

  /** As for a process of its own: asked, then its agent is killed, then all of it. */
  const endSlot = async (process: WorkerProcess, graceMs: number): Promise<boolean> => {
    void order('drain', process);
    if (await goneWithin(process, graceMs / 2)) return true;
    void order('end', process);
    if (await goneWithin(process, graceMs / 2)) return true;
    const dropped = await order('drop', process);
    // it serves none of its slots: they are ended with it, and their tasks are taken back
    if (dropped.type === 'silent' && process.pid !== null && runs(process)) signalGroup(process.pid, 'SIGKILL');
    killMarked(process);
    return goneWithin(process, KILL_MS);
  };

  return {
    sight: (process) => {
      const seen = alone.sight(process);
      if (seen !== 'running' || shared(process) === null || runs(process)) return seen;
      return marked(process).length > 0 ? 'orphaned' : 'gone';
    },
    strangerSight: (process) => {
      const seen = alone.strangerSight(process);
      return seen !== 'running' || shared(process) === null || runs(process) ? seen : 'gone';
    },
    drain: (process) => {
      if (shared(process) === null) alone.drain(process);
      else void order('drain', process);
    },
    end: (process, graceMs) =>
      shared(process) === null || alone.strangerSight(process) === 'gone'
        ? alone.end(process, graceMs)
        : endSlot(process, graceMs),
  };
}

interface SlotStarterOptions extends SlotProcessesOptions {
  /** The most slots of one process. */
  readonly most: number;
  readonly startProcess: () => Promise<DetachedStart>;
}

type Started = Extract<DetachedStart, { type: 'started' }>;

const LISTEN_WITHIN_MS = 30_000;
const LISTEN_CHECK_MS = 25;
const TRIES = 3;

/**
 * Starts slots in processes that this coordinator started: another one may have other settings. A process is started when all are
 * full, and ends with its last slot.
 */
export function slotStarter(options: SlotStarterOptions) {
  const { clock, stopgateHome, most, startProcess } = options;
  const recordOf = slotRecordReader(stopgateHome);
  let own: readonly Started[] = [];
  const hasRoom = (one: Started) => Object.keys(recordOf(one)?.slots ?? {}).length < most;
  const withRoom = async (): Promise<DetachedStart> => {
    own = own.filter(({ pid, pidStart }) => isSameProcess(pid, pidStart));
    const free = own.find(hasRoom);
    if (free !== undefined) return free;
    const started = await startProcess();
    if (started.type === 'notStarted') return started;
    let hasEnded = false;
    void started.ended.then(() => {
      hasEnded = true;
    });
    const isSilent = () => recordOf(started) === null && !hasEnded;
    if (!(await endsWithin(clock, LISTEN_WITHIN_MS, isSilent, LISTEN_CHECK_MS)) || hasEnded)
      return { type: 'notStarted', reason: `the process ${started.pid} for its slots ended or did not answer` };
    own = [...own, started];
    return started;
  };
  return async (slot: string, incarnation: number): Promise<DetachedStart> => {
    let reason = '';
    for (let tries = 0; tries < TRIES; tries++) {
      const at = await withRoom();
      if (at.type === 'notStarted') return at;
      const socket = slotSocket(stopgateHome, at.pid);
      const ordered = await orderSlot({ order: 'start', slot, incarnation }, { socket, clock });
      if (ordered.type === 'started') return { ...at, ended: ordered.ended };
      reason = ordered.type === 'refused' ? ordered.reason : 'its process did not answer';
      // it is ending, or hangs: another one is started
      own = own.filter((one) => one !== at);
    }
    return { type: 'notStarted', reason };
  };
}
