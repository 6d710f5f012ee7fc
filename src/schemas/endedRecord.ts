import * as z from 'zod';
import { leaseRecord } from './leaseRecord.ts';

/** An attempt whose agent finished and that is not settled yet; see `store/outbox/endedFile.ts`. */
export const endedRecord = z.strictObject({
  version: z.literal(1),
  /** The location of the store, without a password. */
  store: z.string(),
  /** Of its worker. */
  process: leaseRecord.shape.process,
  lease: leaseRecord.shape.lease,
  /** Where its agent worked. */
  folder: z.string(),
  /** The end of what it printed, without secrets. */
  tail: z.strictObject({ text: z.string(), errors: z.string() }),
});

export type EndedRecord = z.output<typeof endedRecord>;
