import type { AssistantBlock } from '../models/types.ts';
import type { AssistantMessage, Message } from './messages.ts';

/**
 * Messages as another model may see them. Thinking and provider metadata are signed for the model that wrote them:
 * another one refuses them or, worse, another provider reads them.
 */
export function withoutForeignThinking(messages: Iterable<Message>, modelId: string): Message[] {
  return Array.from(messages, (message) =>
    message.type === 'assistant' && !isOwn(message, modelId) && message.message.content.some(isSigned)
      ? { ...message, message: { ...message.message, content: message.message.content.flatMap(plain) } }
      : message,
  );
}

/** Transcripts of earlier versions have only the name that the provider uses. */
function isOwn({ modelId: writer, message: { model } }: AssistantMessage, modelId: string): boolean {
  if (writer !== undefined) return writer === modelId;
  return modelId === model || modelId.endsWith(`/${model}`) || modelId.endsWith(`#${model}`);
}

const isSigned = (block: AssistantBlock): boolean => block.type === 'thinking' || block.providerMetadata !== undefined;

function plain(block: AssistantBlock): AssistantBlock[] {
  if (block.type === 'thinking') return [];
  const { providerMetadata: _signed, ...rest } = block;
  return [rest];
}
