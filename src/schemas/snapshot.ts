import * as z from 'zod';

/**
 * `snapshot.json`: the prefix of a session's last request, for a question from another process. Blocks keep unknown
 * fields, because a changed byte would miss the provider's cache. Built on demand.
 */
export const snapshotFile = z.lazy(() => {
  const metadata = z.record(z.string(), z.record(z.string(), z.unknown())).exactOptional();
  const text = z.looseObject({ type: z.literal('text'), text: z.string(), providerMetadata: metadata });
  const thinking = z.looseObject({ type: z.literal('thinking'), thinking: z.string(), providerMetadata: metadata });
  const toolUse = z.looseObject({
    type: z.literal('tool_use'),
    id: z.string(),
    name: z.string(),
    input: z.unknown(),
    providerMetadata: metadata,
  });
  const image = z.looseObject({
    type: z.literal('image'),
    source: z.object({ type: z.literal('base64'), media_type: z.string(), data: z.string() }),
  });
  const toolResult = z.looseObject({
    type: z.literal('tool_result'),
    tool_use_id: z.string(),
    tool_name: z.string(),
    content: z.union([z.string(), z.array(z.discriminatedUnion('type', [text, image]))]),
    is_error: z.boolean().exactOptional(),
  });

  const assistant = z.looseObject({
    role: z.literal('assistant'),
    content: z.array(z.discriminatedUnion('type', [text, thinking, toolUse])),
  });

  const message = z.discriminatedUnion('role', [
    z.looseObject({
      role: z.literal('user'),
      content: z.union([z.string(), z.array(z.discriminatedUnion('type', [text, image, toolResult]))]),
    }),
    assistant,
    z.looseObject({ role: z.literal('system'), content: z.string() }),
  ]);

  return z.looseObject({
    version: z.literal(1),
    savedAt: z.string(),
    sessionId: z.string(),
    /** As people write it: the other process creates its own model from it. */
    model: z.string(),
    system: z.array(z.string()),
    tools: z.array(
      z.looseObject({ name: z.string(), description: z.string(), inputSchema: z.record(z.string(), z.unknown()) }),
    ),
    messages: z.array(message),
    /** The model's answer to it, if known. */
    answer: assistant.nullable(),
  });
});

export type SnapshotFile = z.output<typeof snapshotFile>;
