import * as z from 'zod';

/** A file of ours beside each index of a mirror: facts about recorded files that the index cannot hold; paths are quoted. */
export const mirrorFacts = z.object({
  /** Of the index that it belongs to. */
  seal: z.string(),
  /** A digest of the commit's files, see `committedFiles`. */
  committed: z.string(),
  submodules: z.array(z.string()).readonly(),
  /** Tracked symbolic links. */
  links: z.array(z.string()).readonly(),
  /** Unusual permissions of recorded files. */
  modes: z.record(z.string(), z.number()).readonly(),
});

export type MirrorFacts = Readonly<Omit<z.output<typeof mirrorFacts>, 'seal'>>;
