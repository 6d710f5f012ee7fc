import * as z from 'zod';

/** Beside each index of a mirror, written by us. */
export const mirrorFacts = z.object({
  seal: z.string(),
  submodules: z.array(z.string()),
  links: z.array(z.string()),
  modes: z.record(z.string(), z.number()),
});
