import * as z from 'zod';

/** One check of one session that a person accepted although it fails. */
const waiver = z.object({
  check: z.string(),
  reason: z.string(),
  /** ISO 8601. */
  at: z.string(),
  /** The user's name. */
  by: z.string(),
});

export const waivers = z.array(waiver);

export type Waiver = z.output<typeof waiver>;
