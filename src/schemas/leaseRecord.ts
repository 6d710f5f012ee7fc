import * as z from 'zod';

/** The claim of a worker of this machine, for a settlement while its store cannot be reached; see `store/outbox`. */
export const leaseRecord = z.strictObject({
  version: z.literal(1),
  /** The location of the store, without a password. */
  store: z.string(),
  lease: z.strictObject({
    taskId: z.string(),
    attemptId: z.string(),
    epoch: z.int(),
    workerId: z.string(),
    incarnation: z.int(),
  }),
  title: z.string(),
  body: z.string(),
  worktree: z.string().nullable(),
  /** The process of the worker. */
  process: z.strictObject({ host: z.string(), pid: z.int(), pidStart: z.string().nullable() }),
});

export type LeaseRecord = z.output<typeof leaseRecord>;
