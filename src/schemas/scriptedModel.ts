import * as z from 'zod';
import { attempt } from '../system/attempt.ts';

/** The file of `scripted:FILE`; see docs/scripted-model.md. Unknown names are errors, to catch typos. Built on demand. */

const count = z.lazy(() => z.int().min(0));

const isPattern = (source: string) => attempt(() => new RegExp(source), undefined) !== undefined;
const pattern = z.lazy(() => z.string().refine(isPattern, { error: 'is not a regular expression' }));

const scriptedCondition = z.lazy(() =>
  z.strictObject({
    lastUserContains: z.string().optional(),
    lastUserMatches: pattern.optional(),
    firstUserContains: z.string().optional(),
    systemContains: z.string().optional(),
    toolResultContains: z.string().optional(),
    toolResultIsError: z.boolean().optional(),
    requestIndex: count.optional(),
  }),
);

const scriptedUsage = z.lazy(() =>
  z.strictObject({
    in: count.optional(),
    out: count.optional(),
    cacheRead: count.optional(),
    cacheWrite: count.optional(),
  }),
);

const scriptedReply = z.lazy(() =>
  z.strictObject({
    when: scriptedCondition.optional(),
    thinking: z.string().optional(),
    text: z.string().optional(),
    tools: z
      .array(
        z.strictObject({
          name: z.string().min(1),
          input: z.record(z.string(), z.unknown()).default({}),
          id: z.string().min(1).optional(),
        }),
      )
      .optional(),
    delayMs: z.number().min(0).optional(),
    chunks: z
      .union([z.int().min(1), z.strictObject({ count: z.int().min(1), delayMs: z.number().min(0).optional() })])
      .optional(),
    error: z
      .strictObject({
        status: z.int().optional(),
        type: z.string().optional(),
        message: z.string().default('scripted error'),
        retryAfterMs: z.number().min(0).optional(),
      })
      .optional(),
    stop: z.enum(['end_turn', 'tool_use', 'max_tokens', 'refusal', 'other']).optional(),
    usage: scriptedUsage.optional(),
    repeat: z.union([z.int().min(1), z.literal('forever')]).optional(),
  }),
);

export const scriptedModel = z.lazy(() =>
  z.strictObject({
    model: z
      .strictObject({
        name: z.string().min(1).optional(),
        contextWindow: z.int().min(1).optional(),
        maxOutputTokens: z.int().min(1).optional(),
      })
      .optional(),
    replies: z.array(scriptedReply),
  }),
);

export type ScriptedCondition = z.output<typeof scriptedCondition>;
/** As it is written, defaults left out. */
export type ScriptedReply = z.input<typeof scriptedReply>;
