import * as z from 'zod';

/** A file of ours beside each index of a mirror. */
export const mirrorFacts = z.object({
  seal: z.string(),
  committed: z.string(),
  submodules: z.array(z.string()),
  links: z.array(z.string()),
  modes: z.record(z.string(), z.number()),
});
