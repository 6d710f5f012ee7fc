import * as z from 'zod';

/** Rules that a person allowed for good in a project's sessions. */
export const projectRules = z.object({ allow: z.array(z.string()) });
