import { workerMark } from '../../../../fleet/coordinator/workerProcesses.ts';
import { isOver } from '../../../../fleet/decisions/liveness.ts';
import { serveSlots } from '../../../../fleet/slots/serveSlots.ts';
import { shareWaits } from '../../../../fleet/slots/shareWaits.ts';
import { type RunningSlot, SlotBoard } from '../../../../fleet/slots/slotBoard.ts';
import {
  makeSlotFolder,
  removeOldRecords,
  removeSlotRecord,
  slotSocket,
  writeSlotRecord,
} from '../../../../fleet/slots/slotRecord.ts';
import { keepLost } from '../../../../launch/attempt/taskFolders.ts';
import { watchTogether } from '../../../../launch/verify/watchTogether.ts';
import { storeLocation } from '../../../../store/storeLocation.ts';
import { DEFAULT_QUEUE } from '../../../../store/taskDefaults.ts';
import type { Store } from '../../../../store/types.ts';
import { callAfter, wallNow } from '../../../../system/clock.ts';
import { MARKS } from '../../../../system/marks.ts';
import { thisProcess } from '../../../../system/processLife.ts';
import { ownName } from '../../../../system/thisHost.ts';
import { UserError } from '../../../../system/userError.ts';
import type { World } from '../../../../system/world.ts';
import type { Writer } from '../../../../system/writer.ts';
import { keepOutput } from '../keepOutput.ts';
import type { Work } from '../workerRequest.ts';

interface Slots extends Work {
  readonly slots: number;
  /** One worker; its exit code. */
  readonly work: (work: Work) => Promise<number>;
  readonly lookEveryMs: number;
}

/** A slot that failed by an error of ours. */
const FAILED_EXIT = 70;
const SILENT: Writer = {
  out: () => {},
  err: () => {},
  raw: { out: () => {}, err: () => {} },
  outIsTerminal: false,
  errIsTerminal: false,
  columns: 80,
};

/**
 * Many workers in one process: they share the store, the wait for tasks, the look for completed ones and the spawn helper. Each has
 * its registration, log, agent and end. Returns the highest of their exit codes.
 */
export async function runSlots(all: Slots): Promise<number> {
  const { world, request, place, slots } = all;
  const store = shareWaits(all.store, world.clock);
  const queue = request.queue ?? DEFAULT_QUEUE;
  const watchCompleted = watchTogether({ store, clock: world.clock, queue, everyMs: all.lookEveryMs });
  const location = storeLocation(place, world.env);
  const open = { ...all, store, watchCompleted };
  if (request.isCoordinated) {
    const startSlot = (name: string, incarnation: number) =>
      startSlotIn(open, { name, incarnation, mark: workerMark(location, { id: name, incarnation }) });
    return takeOrders({ world, most: slots, drain: all.drain, startSlot });
  }
  const base = request.slot ?? `${ownName()}-${process.pid}`;
  const names = Array.from({ length: slots }, (_unused, index) => `${base}-${index + 1}`);
  const running = names.map((name) => startSlotIn(open, { name }));
  const drainAll = () => {
    for (const slot of running) slot.drain();
  };
  if (all.drain.aborted) drainAll();
  all.drain.addEventListener('abort', drainAll, { once: true });
  return Math.max(...(await Promise.all(running.map(({ ended }) => ended))));
}

interface SlotName {
  readonly name: string;
  readonly incarnation?: number;
  /** Of all processes that it starts. */
  readonly mark?: string;
}

function startSlotIn(open: Slots, slot: SlotName): RunningSlot {
  const draining = new AbortController();
  const part = open.world.processes.apart();
  const dropped = new AbortController();
  const mayStart: typeof part.start = (spec) =>
    part.start(dropped.signal.aborted ? { ...spec, signal: dropped.signal } : spec);
  const processes = { ...part, start: mayStart };
  const world: World = {
    ...open.world,
    processes,
    env: slot.mark === undefined ? open.world.env : { ...open.world.env, [MARKS.worker]: slot.mark },
  };
  const end = () => {
    draining.abort();
    part.killAll();
  };
  return {
    ended: workUntilEnd({ ...open, world, drain: draining.signal }, slot),
    drain: () => draining.abort(),
    end,
    drop: () => {
      dropped.abort();
      end();
    },
  };
}

/** Never rejects: an error in one slot must not end the others. */
async function workUntilEnd(open: Slots, { name, incarnation }: SlotName): Promise<number> {
  const { world, request, writer, work } = open;
  // a coordinator has no use for the output of all slots in one log
  const shown = request.isCoordinated ? SILENT : writer;
  using kept = keepOutput(shown, { ...world, workerId: name, now: wallNow(world.clock) });
  const own = { ...open, request: { ...request, slot: name, incarnation }, writer: kept, isLogged: true };
  try {
    return await work(own);
  } catch (error) {
    kept.err(`stopgate: ${name}: this slot ends because of an error: ${(error as Error).message}\n`);
    await world.processes.endAll();
    await giveBackLost(open.store, name, world).catch(() => {});
    return FAILED_EXIT;
  } finally {
    await world.processes.endAll();
  }
}

interface Orders {
  readonly world: World;
  readonly most: number;
  /** Aborted: all slots drain, and none is started. */
  readonly drain: AbortSignal;
  readonly startSlot: (slot: string, incarnation: number) => RunningSlot;
}

/** For the first order: the coordinator that started this process may have been killed. */
const FIRST_WITHIN_MS = 60_000;

/** Runs the slots that a coordinator orders, until the last one has ended. The exit codes are those of the slots. */
async function takeOrders({ world, most, drain, startSlot }: Orders): Promise<number> {
  const { stopgateHome, clock } = world;
  const { pid, pidStart } = thisProcess();
  const record = (slots: Readonly<Record<string, number>>) => writeSlotRecord(stopgateHome, { pid, pidStart, slots });
  const board = new SlotBoard({ most, startSlot, record });
  removeOldRecords(stopgateHome);
  makeSlotFolder(stopgateHome);
  const serving = await serveSlots(board, slotSocket(stopgateHome, pid));
  if (typeof serving === 'string')
    throw new UserError(`This process cannot take the orders of a coordinator: ${serving}.`);
  // a coordinator waits for it before its first order
  record({});
  const cancel = callAfter(clock, FIRST_WITHIN_MS, () => board.size === 0 && board.close());
  if (drain.aborted) board.drainAll();
  drain.addEventListener('abort', () => board.drainAll(), { once: true });
  await board.over;
  cancel();
  await serving[Symbol.asyncDispose]();
  removeSlotRecord(stopgateHome, pid);
  return 0;
}

/**
 * Takes back the task of a slot that failed, with its work kept. Other processes cannot see that it failed: the process of its
 * worker still runs.
 */
async function giveBackLost(store: Store, workerId: string, world: World): Promise<void> {
  const listed = await store.workers({ workerId });
  const worker = listed.type === 'workers' ? listed.workers.find(({ pid }) => pid === process.pid) : undefined;
  if (worker === undefined || isOver(worker)) return;
  await keepLost(store, worker, world);
  const { incarnation } = worker;
  const reason = 'crashed';
  await store.reap({ workerId, incarnation, evidence: 'exited', staleAfterMs: 0, graceMs: 0, reason });
}
