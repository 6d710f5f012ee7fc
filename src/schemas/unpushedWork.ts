import * as z from 'zod';
import { leaseRecord } from './leaseRecord.ts';

/** A branch of an attempt that its remote did not take; see `launch/attempt/repository/unpushed.ts`. */
export const unpushedWork = z.strictObject({
  version: z.literal(1),
  /** The location of the store, without a password. */
  store: z.string(),
  lease: leaseRecord.shape.lease,
  /** The folder of the repository that has the branch; its worktree may be gone. */
  repository: z.string(),
  branch: z.string(),
  /** What the remote has of it. */
  before: z.strictObject({ commit: z.string().nullable(), wip: z.string().nullable() }),
});

export type UnpushedWork = z.output<typeof unpushedWork>;
