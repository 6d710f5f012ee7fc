import * as z from 'zod';
import { STORE_REQUESTS } from './storeRequests.ts';

const { complete, fail, release } = STORE_REQUESTS;

const place = {
  version: z.literal(1),
  /** The location of the store, without a password. */
  store: z.string(),
  /** By the machine's clock, for people. */
  keptAt: z.number(),
  /** Set when the store refused it: why, in a sentence. */
  refused: z.string().optional(),
};

/** A settlement that is kept on this machine until its store has it; see `store/outbox`. */
export const keptSettlement = z.discriminatedUnion('operation', [
  z.strictObject({ ...place, operation: z.literal('complete'), request: complete }),
  z.strictObject({ ...place, operation: z.literal('fail'), request: fail }),
  z.strictObject({ ...place, operation: z.literal('release'), request: release }),
]);

export type KeptSettlement = z.output<typeof keptSettlement>;
