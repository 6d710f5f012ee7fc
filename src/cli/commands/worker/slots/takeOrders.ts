import { serveSlots } from '../../../../fleet/slots/serveSlots.ts';
import { type RunningSlot, SlotBoard } from '../../../../fleet/slots/slotBoard.ts';
import {
  makeSlotFolder,
  removeOldRecords,
  removeSlotRecord,
  slotSocket,
  writeSlotRecord,
} from '../../../../fleet/slots/slotRecord.ts';
import { callAfter } from '../../../../system/clock.ts';
import { thisProcess } from '../../../../system/processLife.ts';
import { UserError } from '../../../../system/userError.ts';
import type { World } from '../../../../system/world.ts';

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
export async function takeOrders({ world, most, drain, startSlot }: Orders): Promise<number> {
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
