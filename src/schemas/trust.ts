import * as z from 'zod';

/** The file of one trusted folder. */
export const trustRecord = z.looseObject({ folder: z.string(), trustedAt: z.string() });

export type TrustRecord = z.output<typeof trustRecord>;
