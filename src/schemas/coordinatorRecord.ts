import { z } from 'zod';

/** The record of a running coordinator, beside its logs, for `fleet status` and `fleet down`. */
export const coordinatorRecord = z.object({
  fleet: z.string(),
  host: z.string(),
  pid: z.int().positive(),
  pidStart: z.string().nullable(),
  /** Without a password. */
  store: z.string(),
  /** By the clock of its store, as all ages in `fleet status`. */
  startedAt: z.number(),
  /** What its host has too little of for a worker that is needed now. */
  shortage: z
    .discriminatedUnion('of', [
      z.object({ of: z.literal('load'), perCore: z.number(), limit: z.number() }),
      z.object({ of: z.literal('memory'), freeBytes: z.number(), neededBytes: z.number() }),
    ])
    .nullable()
    .default(null),
});

export type CoordinatorRecord = z.output<typeof coordinatorRecord>;
