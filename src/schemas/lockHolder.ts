import { z } from 'zod';

/** Who holds a lock file: a pid alone may have been given to somebody else since. */
export const lockHolder = z.looseObject({
  pid: z.int(),
  /** As the kernel counts it; absent where it cannot be told. */
  startedAt: z.string().optional(),
  host: z.string(),
  token: z.string(),
  takenAt: z.number(),
});

export type LockHolder = z.output<typeof lockHolder>;
