import * as z from 'zod';

const count = z.lazy(() =>
  z
    .number()
    .nonnegative()
    .nullish()
    .transform((value) => value ?? 0),
);

/** `usage` of the Messages API's `message_start`. */
export const startUsage = z.lazy(() =>
  z.object({
    input_tokens: count,
    output_tokens: count,
    cache_read_input_tokens: count,
    cache_creation_input_tokens: count,
  }),
);
