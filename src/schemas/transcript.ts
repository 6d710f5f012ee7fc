import * as z from 'zod';
import { messageContent } from './messageContent.ts';

/**
 * One transcript line, as far as resuming needs it: what is sent to a model is checked, the rest is kept as it is. Lines
 * of other versions may have more fields. Built on demand: only a resumed session reads lines.
 */
export const transcriptLineSchema = z.lazy(() => {
  const base = { uuid: z.string(), timestamp: z.string() };
  const content = messageContent();
  const usage = z
    .object({
      inputTokens: z.number(),
      outputTokens: z.number(),
      cacheReadTokens: z.number(),
      cacheWriteTokens: z.number(),
    })
    .catch({ inputTokens: 0, outputTokens: 0, cacheReadTokens: 0, cacheWriteTokens: 0 });

  return z.discriminatedUnion('type', [
    z.looseObject({
      type: z.literal('user'),
      ...base,
      message: z.object({ role: z.literal('user'), content: content.user }),
    }),
    z.looseObject({
      type: z.literal('assistant'),
      ...base,
      modelId: z.string().optional().catch(undefined),
      message: z.looseObject({
        role: z.literal('assistant'),
        id: z.string(),
        model: z.string(),
        content: content.assistant,
        stop_reason: z.string().nullable(),
        usage,
      }),
    }),
    z.looseObject({ type: z.literal('system'), ...base, subtype: z.string(), content: z.string(), level: z.string() }),
    z.looseObject({ type: z.literal('attachment'), ...base, attachment: z.looseObject({ type: z.string() }) }),
  ]);
});

/** The fields of a line besides its message; invalid values count as absent. */
export const transcriptEnvelopeSchema = z.lazy(() =>
  z.object({
    parentUuid: z.string().nullable().optional().catch(undefined),
    sessionModel: z.string().optional().catch(undefined),
  }),
);

/** The `data` of a turn that ended because a hook deferred a call. */
export const DeferredEndSchema = z.lazy(() =>
  z.object({
    terminal: z.object({ reason: z.literal('tool_deferred'), call: z.object({ id: z.string() }) }),
  }),
);
