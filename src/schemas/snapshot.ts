import * as z from 'zod';
import { messageContent } from './messageContent.ts';

/** `snapshot.json`: the prefix of a session's last request, for a question from another process. Built on demand. */
export const snapshotFile = z.lazy(() => {
  const content = messageContent();
  const assistant = z.looseObject({ role: z.literal('assistant'), content: content.assistant });
  const message = z.discriminatedUnion('role', [
    z.looseObject({ role: z.literal('user'), content: content.user }),
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
