import { z } from 'zod';

/** The record of a running coordinator, beside its logs, for `fleet status` and `fleet down`. */
export const coordinatorRecord = z.object({
  fleet: z.string(),
  host: z.string(),
  pid: z.int().positive(),
  pidStart: z.string().nullable(),
  /** Without a password. */
  store: z.string(),
  startedAt: z.number(),
});

export type CoordinatorRecord = z.output<typeof coordinatorRecord>;
