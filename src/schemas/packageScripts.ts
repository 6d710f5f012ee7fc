import * as z from 'zod';

/** The part of a `package.json` with the commands of a project. */
export const packageScripts = z.looseObject({ scripts: z.record(z.string(), z.string()).optional() });
