import * as z from 'zod';

/** `review.json` in Stopgate's folder of the user: how they want accepted work to land. Never read from a repository. */
export const reviewConfig = z.strictObject({
  /** The default of `--merge`, `--rebase` and `--squash`. */
  method: z.enum(['merge', 'rebase', 'squash']).optional(),
  /** The default of `--into`. */
  into: z.string().min(1).optional(),
  /** What `review accept --pr` runs. */
  prCommand: z.string().min(1).optional(),
});

export type ReviewConfig = z.output<typeof reviewConfig>;
