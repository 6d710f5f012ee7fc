import * as z from 'zod';

/** A line of `--input-format stream-json` that is a prompt. */
export const userLine = z.looseObject({
  type: z.literal('user'),
  message: z.looseObject({
    content: z.union([z.string(), z.array(z.looseObject({ type: z.string(), text: z.string().optional() }))]),
  }),
});
