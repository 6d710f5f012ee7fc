import * as z from 'zod';

const rules = z.lazy(() => z.array(z.object({ toolName: z.string().min(1), ruleContent: z.string().optional() })));
const behavior = z.lazy(() => z.enum(['allow', 'deny', 'ask']));
const directories = z.lazy(() => z.array(z.string().min(1)));

/** A change of permissions, as a PermissionRequest hook requests it and `permission_suggestions` offers it. */
export const permissionUpdate = z.lazy(() =>
  z.discriminatedUnion('type', [
    z.looseObject({ type: z.literal('addRules'), rules, behavior }),
    z.looseObject({ type: z.literal('replaceRules'), rules, behavior }),
    z.looseObject({ type: z.literal('removeRules'), rules, behavior }),
    z.looseObject({ type: z.literal('setMode'), mode: z.string() }),
    z.looseObject({ type: z.literal('addDirectories'), directories }),
    z.looseObject({ type: z.literal('removeDirectories'), directories }),
  ]),
);

export type PermissionUpdate = z.output<typeof permissionUpdate>;
