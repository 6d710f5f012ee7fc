import * as z from 'zod';

export const failureSetRecord = z.object({
  code: z.number(),
  by: z.enum(['tests', 'lines']),
  items: z.array(z.string()),
});

/** What a person accepted of one check in one folder, until it expires. Written and read by Stopgate alone. */
const baselineEntry = z.object({
  check: z.string(),
  /** A hash of the command: another command was not accepted. */
  command: z.string(),
  reason: z.string().nullable(),
  /** ISO 8601. */
  at: z.string(),
  /** The user's name. */
  by: z.string(),
  /** ISO 8601; null for no end. */
  expiresAt: z.string().nullable(),
  failures: failureSetRecord,
});

export const baselineFile = z.array(baselineEntry);

export type BaselineEntry = z.output<typeof baselineEntry>;
