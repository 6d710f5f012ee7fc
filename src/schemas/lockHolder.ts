import { z } from 'zod';

/** The holder of a lock file; a pid alone may have been reused. */
export const lockHolder = z.lazy(() =>
  z.looseObject({
    pid: z.int(),
    /** As the kernel counts it; absent where the system does not provide it. */
    startedAt: z.string().optional(),
    host: z.string(),
    token: z.string(),
    takenAt: z.number(),
  }),
);

export type LockHolder = z.output<typeof lockHolder>;
