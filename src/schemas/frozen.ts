import * as z from 'zod';

/** A definition of done as it was when a session began; written and read by Stopgate alone. */
export const frozenRecord = z.object({
  frozenAt: z.string(),
  file: z.string(),
  text: z.string(),
  topLevel: z.string(),
  files: z.array(z.object({ path: z.string(), real: z.string(), mode: z.number(), content: z.string() })),
  absent: z.array(z.string()),
  obeyed: z.array(z.tuple([z.string(), z.string()])),
  packageScripts: z.array(z.object({ file: z.string(), name: z.string(), text: z.string() })),
  protectedStart: z
    .object({
      head: z.string().nullable(),
      committed: z.string(),
      files: z.array(z.tuple([z.string(), z.string(), z.string().nullable()])),
    })
    .nullable(),
});
