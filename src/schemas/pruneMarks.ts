import * as z from 'zod';

/** When kept states were first seen to be too old, by commit: by the machine's clock, and since which start of it. */
export const pruneMarks = z.record(
  z.string(),
  z.object({
    wall: z.number(),
    boot: z.object({ id: z.string(), ms: z.number() }).nullable(),
  }),
);
