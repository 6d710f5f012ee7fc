import * as z from 'zod';

/**
 * What messages to and from a model contain, where it is read from a file. Blocks keep unknown fields: a changed byte would miss the
 * provider's cache, and lines of other versions may have more. A function, because only few sessions read such files.
 */
export function messageContent() {
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
    tool_name: z.string().default(''),
    content: z.union([z.string(), z.array(z.discriminatedUnion('type', [text, image]))]),
    is_error: z.boolean().exactOptional(),
  });
  return {
    user: z.union([z.string(), z.array(z.discriminatedUnion('type', [text, image, toolResult]))]),
    assistant: z.array(z.discriminatedUnion('type', [text, thinking, toolUse])),
  };
}
