import { z } from 'zod';

/** What a coordinator leaves beside its logs while it runs, for `fleet status` and `fleet down`. */
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
