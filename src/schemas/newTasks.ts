import * as z from 'zod';

const text = z.string();
const whole = z.int();
const names = z.union([text, z.array(text)]).transform((value) => (typeof value === 'string' ? [value] : value));

/** One line of `stopgate task add` from stdin: the command's flags as fields, and `key` for batches. */
export const newTaskLine = z.strictObject({
  title: text,
  body: text.optional(),
  id: text.optional(),
  /** Its name for `after` in other lines of the same input. */
  key: text.optional(),
  queue: text.optional(),
  type: text.optional(),
  priority: whole.optional(),
  after: names.optional(),
  onDependencyFailure: z.enum(['wait', 'cancel', 'run']).optional(),
  /** `10m`, or a number of seconds. */
  delay: z.union([text, z.number()]).optional(),
  at: text.optional(),
  dedupeKey: text.optional(),
  parentId: text.optional(),
  maxFailures: whole.optional(),
  maxClaims: whole.optional(),
  timeBudget: z.union([text, z.number()]).optional(),
  totalTime: z.union([text, z.number()]).optional(),
  maxBudgetUsd: z.number().positive().optional(),
  /** The same, as stores name it. */
  costBudgetUsd: z.number().optional(),
  tokenBudget: whole.positive().optional(),
  verify: text.optional(),
  judge: text.optional(),
  hold: text.optional(),
  concurrencyKey: text.optional(),
  concurrency: whole.positive().optional(),
  /** The URL of a git remote, or a path. */
  repo: text.optional(),
  base: text.optional(),
});

export type NewTaskLine = z.output<typeof newTaskLine>;
