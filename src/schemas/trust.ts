import * as z from 'zod';

/** One trusted folder, one file. What exactly was trusted (digests of entries and scripts) has its place here later. */
export const trustRecord = z.looseObject({ folder: z.string(), trustedAt: z.string() });

export type TrustRecord = z.output<typeof trustRecord>;
