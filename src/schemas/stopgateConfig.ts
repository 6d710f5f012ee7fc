import * as z from 'zod';

/** `10m`, `90s`, `1h30m`, or seconds. */
const duration = z.union([
  z.number().positive(),
  z.string().regex(/^(?:\d{1,9}|(?=\d)(?:\d{1,4}h)?(?:\d{1,5}m)?(?:\d{1,7}s)?)$/, 'write it as 90s, 10m or 1h30m'),
]);

/**
 * `changed`: only when the files are not what they were when the session began. `always`: at every stop. Default: an order
 * for work is checked at its first stop even when nothing changed, a question is not.
 */
const when = z.enum(['changed', 'always']);

export const checkConfig = z.strictObject({
  /** What it is called in messages; the command itself unless named. */
  name: z.string().min(1).max(80).optional(),
  /** A line for the shell, or a program and its arguments, which no shell reads. */
  command: z.union([z.string().min(1), z.array(z.string()).min(1)]),
  timeout: duration.optional(),
  when: when.optional(),
  /** How many lines of a failing check the agent is shown. */
  lines: z.int().min(1).max(400).optional(),
  /** Where it runs, from the folder of the configuration. */
  cwd: z.string().optional(),
  /** What it reads that git does not see: ignored files, files elsewhere. From the folder of the configuration. */
  inputs: z.array(z.string().min(1)).max(100).optional(),
});

export const stopgateConfig = z.strictObject({
  $schema: z.string().optional(),
  /** The definition of done: the agent may stop when all of these pass. */
  checks: z.array(checkConfig).max(100).optional(),
  /** For every check that has none of its own. */
  when: when.optional(),
  /** After so many stops in a row with no file changed, a failing check no longer holds the agent. */
  stallAfter: z.int().min(1).max(100).optional(),
  /** After so many stops sent back in one session, nothing holds the agent. */
  maxBlocks: z.int().min(1).max(1000).optional(),
});

export type CheckConfig = z.output<typeof checkConfig>;
