import * as z from 'zod';

/**
 * What a hook may print. Unknown keys are ignored; a known key of the wrong type, or a `hookSpecificOutput` for an event
 * that has none, makes the whole answer invalid, as in Claude Code.
 */

const text = z.string().optional();
const object = z.lazy(() => z.record(z.string(), z.unknown()));
const context = { additionalContext: text };
const paths = { watchPaths: z.array(z.string()).optional() };
const elicited = { action: z.enum(['accept', 'decline', 'cancel']).optional(), content: object.optional() };

/** The decision of a PermissionRequest hook. */
export const permissionAnswer = z.lazy(() =>
  z.discriminatedUnion('behavior', [
    z.object({
      behavior: z.literal('allow'),
      updatedInput: object.optional(),
      updatedPermissions: z.array(object).optional(),
    }),
    z.object({ behavior: z.literal('deny'), message: text, interrupt: z.boolean().optional() }),
  ]),
);

function variant<Name extends string, Shape extends z.ZodRawShape>(name: Name, shape: Shape) {
  return z.object({ hookEventName: z.literal(name), ...shape });
}

/** Built on demand: most sessions never need these 22 shapes. */
export const HookSpecificOutputSchema = z.lazy(() =>
  z.discriminatedUnion('hookEventName', [
    variant('PreToolUse', {
      permissionDecision: z.enum(['allow', 'deny', 'ask', 'defer']).optional(),
      permissionDecisionReason: text,
      updatedInput: object.optional(),
      ...context,
    }),
    variant('PostToolUse', {
      ...context,
      updatedToolOutput: z.unknown().optional(),
      updatedMCPToolOutput: z.unknown().optional(),
      classifierContext: text,
    }),
    variant('PostToolUseFailure', context),
    variant('PostToolBatch', context),
    variant('UserPromptSubmit', { ...context, sessionTitle: text, suppressOriginalPrompt: z.boolean().optional() }),
    variant('UserPromptExpansion', { ...context, suppressOriginalPrompt: z.boolean().optional() }),
    variant('SessionStart', {
      ...context,
      initialUserMessage: text,
      sessionTitle: text,
      reloadSkills: z.boolean().optional(),
      ...paths,
    }),
    variant('Setup', context),
    variant('PreModelSwitch', {
      permissionDecision: z.enum(['allow', 'deny', 'ask']).optional(),
      permissionDecisionReason: text,
    }),
    variant('PostModelSwitch', context),
    variant('SubagentStart', context),
    variant('Stop', context),
    variant('SubagentStop', context),
    variant('PermissionRequest', { decision: permissionAnswer.optional() }),
    variant('PermissionDenied', { retry: z.boolean().optional() }),
    variant('Notification', context),
    variant('Elicitation', elicited),
    variant('ElicitationResult', elicited),
    variant('CwdChanged', paths),
    variant('FileChanged', paths),
    variant('WorktreeCreate', { worktreePath: text }),
    variant('MessageDisplay', { displayContent: text }),
  ]),
);

export const SyncHookJSONOutputSchema = z.object({
  continue: z.boolean().optional(),
  stopReason: text,
  suppressOutput: z.boolean().optional(),
  systemMessage: text,
  terminalSequence: text,
  decision: z.enum(['approve', 'block']).optional(),
  reason: text,
  hookSpecificOutput: HookSpecificOutputSchema.optional(),
});

/** The hook continues in the background. Milliseconds. */
export const AsyncHookJSONOutputSchema = z.lazy(() =>
  z.object({
    async: z.literal(true),
    asyncTimeout: z.number().positive().optional(),
  }),
);

/** The keys that distinguish an answer from other JSON output. */
export const HOOK_OUTPUT_FIELDS: readonly string[] = [...Object.keys(SyncHookJSONOutputSchema.shape), 'async'];

/** A question to the person that a command hook with `asksUser` prints, with the answers to choose from. */
export const HookPromptSchema = z.lazy(() =>
  z.object({
    /** The hook's own name for it. */
    prompt: z.string().min(1),
    message: z.string(),
    options: z.array(z.object({ key: z.string(), label: z.string(), description: z.string().exactOptional() })),
  }),
);

const yesOrNo = z.lazy(() => z.union([z.boolean(), z.stringbool({ truthy: ['true', 'yes'], falsy: ['false', 'no'] })]));

/** The answer of the judge of a prompt or agent hook; models like to quote booleans. */
export const JudgeAnswerSchema = z.lazy(() =>
  z.object({
    ok: yesOrNo,
    reason: z.string().nullish(),
    impossible: yesOrNo.nullish(),
    /** A text for the user, if the hook asked for one instead of a judgment. */
    note: z.string().nullish(),
  }),
);

export type SyncHookJSONOutput = z.output<typeof SyncHookJSONOutputSchema>;
export type HookJSONOutput = SyncHookJSONOutput | z.output<typeof AsyncHookJSONOutputSchema>;
export type HookPrompt = Readonly<z.output<typeof HookPromptSchema>>;
export type JudgeAnswer = z.output<typeof JudgeAnswerSchema>;
