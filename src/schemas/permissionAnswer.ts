import * as z from 'zod';

/** What a PermissionRequest hook decides. */
export const permissionAnswer = z.discriminatedUnion('behavior', [
  z.looseObject({ behavior: z.literal('allow'), updatedInput: z.record(z.string(), z.unknown()).optional() }),
  z.looseObject({
    behavior: z.literal('deny'),
    message: z.string().optional(),
    interrupt: z.boolean().optional(),
  }),
]);
