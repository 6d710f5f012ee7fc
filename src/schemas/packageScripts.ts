import * as z from 'zod';

/** The part of a `package.json` that says how a project is tested. */
export const packageScripts = z.looseObject({ scripts: z.record(z.string(), z.string()).optional() });
