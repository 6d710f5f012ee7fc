import { connect } from 'node:net';
import { type SlotAnswer, type SlotOrder, slotAnswer } from '../../schemas/slotProcess.ts';
import { frameReader } from '../../store/sqlite/broker/frames.ts';
import { whyNotToConnect } from '../../store/sqlite/broker/socketPath.ts';
import { type Clock, callAfter, endsWithin } from '../../system/clock.ts';
import type { DetachedEnd, DetachedStart } from '../../system/detachedProcess.ts';
import { signalProcess } from '../../system/markedProcesses.ts';
import { signalGroup } from '../../system/processGroup.ts';
import { isSameProcess } from '../../system/processLife.ts';
import type { WorkerProcess, WorkerProcesses } from '../coordinator/coordinatorWorld.ts';
import { markedOf, workerProcesses } from '../coordinator/workerProcesses.ts';
import { slotRecordReader, slotSocket } from './slotRecord.ts';
import { hasCrashed, slotsAfterCrash } from './slotsAfterCrash.ts';

const CHECK_EVERY_MS = 50;
/** A process that survives SIGKILL for this long hangs in the kernel. */
const KILL_MS = 3_000;
/** Shorter than any wait for a change. */
const LOOK_AGAIN_MS = 40;

interface SlotProcess {
  readonly pid: number;
  readonly pidStart: string | null;
}

const NOTHING = { runs: false, record: null } as const;

/** A coordinator looks at all slots of a process one after the other: a look at the process is one for all of them. */
function onceInAWhile<Seen>(clock: Clock, look: (process: SlotProcess) => Seen): (process: SlotProcess) => Seen {
  const known = new Map<string, { readonly at: number; readonly seen: Seen }>();
  return (process) => {
    const now = clock.now();
    const key = `${process.pid} ${process.pidStart}`;
    const before = known.get(key);
    if (before !== undefined && now - before.at < LOOK_AGAIN_MS) return before.seen;
    for (const [other, { at }] of known) if (now - at >= LOOK_AGAIN_MS) known.delete(other);
    const seen = look(process);
    known.set(key, { at: now, seen });
    return seen;
  };
}

const UNSERVED: ReadonlySet<OrderedSlot['type']> = new Set(['silent', 'unreachable']);

interface SlotProcessesOptions {
  readonly clock: Clock;
  readonly stopgateHome: string;
  readonly storeLocation: string;
}

/** The processes of workers, of which some are slots of one process: what is done to a slot leaves the others alone. */
export function slotProcesses({ clock, stopgateHome, storeLocation }: SlotProcessesOptions): WorkerProcesses {
  const alone = workerProcesses(clock, storeLocation);
  const recordOf = slotRecordReader(stopgateHome);
  const look = onceInAWhile(clock, (process: SlotProcess) => ({
    runs: isSameProcess(process.pid, process.pidStart),
    record: recordOf(process),
  }));
  const seenOf = ({ pid, pidStart }: WorkerProcess) => (pid === null ? NOTHING : look({ pid, pidStart }));
  const shared = (process: WorkerProcess) => seenOf(process).record;
  const order = (how: SlotOrder['order'], { pid, id: slot, incarnation }: WorkerProcess): Promise<OrderedSlot> =>
    orderSlot({ order: how, slot, incarnation }, { socket: slotSocket(stopgateHome, pid ?? 0), clock });
  const runs = (process: WorkerProcess): boolean => {
    const { runs: isThere, record } = seenOf(process);
    return isThere && record?.slots[process.id] === process.incarnation;
  };
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
    if (UNSERVED.has(dropped.type) && process.pid !== null && runs(process)) signalGroup(process.pid, 'SIGKILL');
    killMarked(process);
    return goneWithin(process, KILL_MS);
  };

  return {
    sight: (process) => {
      if (runs(process)) return 'running';
      const seen = alone.sight(process);
      if (seen !== 'running' || shared(process) === null) return seen;
      return marked(process).length > 0 ? 'orphaned' : 'gone';
    },
    strangerSight: (process) => {
      if (runs(process)) return 'running';
      return shared(process) === null ? alone.strangerSight(process) : 'gone';
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
 * full, and ends with its last slot. After a crash, each slot has one of its own for a while.
 */
export function slotStarter(options: SlotStarterOptions) {
  const { clock, stopgateHome, most, startProcess } = options;
  const recordOf = slotRecordReader(stopgateHome);
  let own: readonly Started[] = [];
  let crashedAt: number | null = null;
  const hasRoom = (one: Started) =>
    Object.keys(recordOf(one)?.slots ?? {}).length < slotsAfterCrash({ most, crashedAt, now: clock.now() });
  const withRoom = async (): Promise<DetachedStart> => {
    own = own.filter(({ pid, pidStart }) => isSameProcess(pid, pidStart));
    const free = own.find(hasRoom);
    if (free !== undefined) return free;
    const started = await startProcess();
    if (started.type === 'notStarted') return started;
    let hasEnded = false;
    void started.ended.then((end) => {
      hasEnded = true;
      if (hasCrashed(end)) crashedAt = clock.now();
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
      // it is ending, or hangs: another one is started
      own = own.filter((one) => one !== at);
      reason = ordered.type === 'refused' ? ordered.reason : `the process ${at.pid} for its slots did not answer`;
      // it might still carry it out, and the store refuses it then: nothing else may have its incarnation
      if (ordered.type === 'silent') break;
    }
    return { type: 'notStarted', reason };
  };
}

type OrderedSlot =
  | { readonly type: 'started'; readonly ended: Promise<DetachedEnd> }
  | { readonly type: 'obeyed' }
  | { readonly type: 'refused'; readonly reason: string }
  /** It does not listen: it did not get the order. */
  | { readonly type: 'unreachable' }
  /** It may carry out the order later. */
  | { readonly type: 'silent' };

/**
 * A process that answers nothing for this long hangs; its slots are not served either. Shorter would be dear: on a busy machine one that
 * works would be ended with the agents of all its slots.
 */
const ANSWER_WITHIN_MS = 10_000;
const LONGEST_ANSWER = 4_096;
const UNKNOWN_END: DetachedEnd = { code: null, signal: null };

interface Ordering {
  readonly socket: string;
  readonly clock: Clock;
}

/** Sends one order to a process with many slots. The connection of a start stays open until that slot has ended. */
function orderSlot(order: SlotOrder, { socket, clock }: Ordering): Promise<OrderedSlot> {
  if (whyNotToConnect(socket) !== null) return Promise.resolve({ type: 'unreachable' });
  const connection = connect(socket);
  const ordered = Promise.withResolvers<OrderedSlot>();
  const ended = Promise.withResolvers<DetachedEnd>();
  let isSent = false;
  const giveUp = () => {
    connection.destroy();
    ordered.resolve({ type: isSent ? 'silent' : 'unreachable' });
    ended.resolve(UNKNOWN_END);
  };
  const cancel = callAfter(clock, ANSWER_WITHIN_MS, giveUp);
  const receive = (frame: unknown) => {
    const answer: SlotAnswer | undefined = slotAnswer.safeParse(frame).data;
    cancel();
    if (answer?.type === 'started') {
      // a coordinator may end before its workers
      connection.unref();
      return ordered.resolve({ type: 'started', ended: ended.promise });
    }
    if (answer?.type === 'ended') ended.resolve({ code: answer.code, signal: null });
    else if (answer !== undefined) ordered.resolve(answer);
    connection.destroy();
  };
  const reader = frameReader({ longest: LONGEST_ANSWER, onFrame: receive, onNonsense: giveUp });
  connection.setEncoding('utf8');
  connection.on('data', reader.read);
  connection.on('error', giveUp);
  connection.on('close', () => {
    cancel();
    giveUp();
  });
  connection.once('connect', () => {
    isSent = true;
    connection.write(`${JSON.stringify(order)}\n`);
  });
  return ordered.promise;
}
