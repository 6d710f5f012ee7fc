import * as z from 'zod';

/** What failed in one run of a check, in a form that can be compared with another run. */
export const failureSetRecord = z.object({
  code: z.number(),
  /** `tests`: the names of failing tests, by the check's report. `lines`: hashes of the lines that it printed. */
  by: z.enum(['tests', 'lines']),
  /** One can occur more than once. */
  items: z.array(z.string()).readonly(),
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

export type FailureSet = Readonly<z.output<typeof failureSetRecord>>;
export type BaselineEntry = z.output<typeof baselineEntry>;
