import * as z from 'zod';

/** When kept states were first found to be too old, by commit: by the wall clock, and by the time since boot. */
export const pruneMarks = z.record(
  z.string(),
  z.object({ wall: z.number(), boot: z.object({ id: z.string(), ms: z.number() }).nullable() }),
);
