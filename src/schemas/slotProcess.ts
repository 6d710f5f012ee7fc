import * as z from 'zod';

/** Which slots a process runs, beside the logs of its slots: coordinators read it to see whether a slot has ended. */
export const slotRecord = z.object({
  pid: z.int().positive(),
  pidStart: z.string().nullable(),
  /** The incarnation of each. */
  slots: z.record(z.string(), z.int().positive()),
});

export type SlotRecord = z.output<typeof slotRecord>;

/** One line of a coordinator to such a process. */
export const slotOrder = z.object({
  /** `drain`: finish or release the task. `end`: end the agent now. `drop`: the same without waiting, and forget the slot. */
  order: z.enum(['start', 'drain', 'end', 'drop']),
  slot: z.string().min(1).max(200),
  incarnation: z.int().positive(),
});

export type SlotOrder = z.output<typeof slotOrder>;

/** One line of its answer. `ended` follows `started` on the same connection. */
export const slotAnswer = z.discriminatedUnion('type', [
  z.object({ type: z.literal('started') }),
  z.object({ type: z.literal('refused'), reason: z.string() }),
  z.object({ type: z.literal('obeyed') }),
  /** The exit code that its own process would have; null when it was dropped. */
  z.object({ type: z.literal('ended'), code: z.int().nullable() }),
]);

export type SlotAnswer = z.output<typeof slotAnswer>;
