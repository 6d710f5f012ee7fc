import * as z from 'zod';

/** Why a worker of this machine starts no agent for a while; beside its log. */
export const restRecord = z.object({
  incarnation: z.int(),
  why: z.enum(['backoff', 'crashLoop', 'fruitless']),
  /** By the machine's clock. */
  untilAt: z.number(),
});

export type RestRecord = z.output<typeof restRecord>;
