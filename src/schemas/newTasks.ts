import * as z from 'zod';

const text = z.string();
const whole = z.int();
const names = z.union([text, z.array(text)]).transform((said) => (typeof said === 'string' ? [said] : said));

/** One line of `stopgate task add` from stdin: the flags of the command as fields, and what only a batch needs. */
export const newTaskLine = z.strictObject({
  title: text,
  body: text.optional(),
  id: text.optional(),
  /** What others of the same input call it in `after`. */
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
  costBudgetUsd: z.number().optional(),
  verify: text.optional(),
  hold: text.optional(),
});

export type NewTaskLine = z.output<typeof newTaskLine>;
