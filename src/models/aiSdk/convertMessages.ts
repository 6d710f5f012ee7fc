import type {
  LanguageModelV4FilePart,
  LanguageModelV4Message,
  LanguageModelV4TextPart,
  LanguageModelV4ToolResultOutput,
  LanguageModelV4ToolResultPart,
  SharedV4ProviderOptions,
} from '@ai-sdk/provider';
import type {
  AssistantBlock,
  AssistantContent,
  ConversationMessage,
  ImageBlock,
  SystemContent,
  ToolResultBlock,
  UserBlock,
  UserContent,
} from '../types.ts';

/** `user` for models that do not accept system messages inside the conversation: context is then a marked user message. */
type ContextRole = 'system' | 'user';

type AssistantPart = Extract<LanguageModelV4Message, { role: 'assistant' }>['content'][number];

export interface Conversion {
  /** How the engine's context is sent; a marked user message by default. */
  readonly contextAs?: ContextRole;
  /** False for a provider that accepts only text as a tool result: images then follow in a user message. */
  readonly imagesInResults?: boolean;
}

/** Messages with images of tool results. Each must come after the last result of its round. */
export const resultImages = new WeakSet<LanguageModelV4Message>();

/**
 * Converts one message, usually into one. Contents are kept for the whole turn, as copies of exact length: a list that
 * grew by `push` keeps room for 17. A user message with tool results and other content becomes two, because
 * providers want results in a separate message. An empty one, which most providers reject, becomes none.
 */
export function convertMessage(
  message: ConversationMessage,
  { contextAs = 'user', imagesInResults = true }: Conversion = {},
): readonly LanguageModelV4Message[] {
  if (message.role === 'system') return [convertContext(message, contextAs)];
  return message.role === 'user' ? convertUser(message, imagesInResults) : convertAssistant(message);
}

function convertContext({ content }: SystemContent, contextAs: ContextRole): LanguageModelV4Message {
  if (contextAs === 'system') return { role: 'system', content };
  return { role: 'user', content: [textPart(`<system-reminder>\n${content}\n</system-reminder>`)] };
}

type UserPart = LanguageModelV4TextPart | LanguageModelV4FilePart;

function convertUser({ content }: UserContent, imagesInResults: boolean): LanguageModelV4Message[] {
  if (typeof content === 'string') return [{ role: 'user', content: [textPart(content)] }];
  const results: LanguageModelV4ToolResultPart[] = [];
  const images: UserPart[] = [];
  const others: UserPart[] = [];
  for (const block of content) {
    if (block.type === 'tool_result') {
      results.push(toolResultPart(imagesInResults ? block : withoutImages(block)));
      if (!imagesInResults) images.push(...imagesOf(block));
    }
    if (block.type === 'image') others.push(filePart(block));
    if (block.type === 'text' && block.text !== '') others.push(textPart(block.text));
  }
  // A message of empty texts still opens a turn, so it is kept.
  if (others.length === 0 && results.length === 0) others.push(textPart(''));
  const converted: LanguageModelV4Message[] = [];
  if (results.length > 0) converted.push({ role: 'tool', content: results.slice() });
  if (images.length > 0) converted.push(ofResults({ role: 'user', content: images }));
  if (others.length > 0) converted.push({ role: 'user', content: others.slice() });
  return converted;
}

function ofResults(message: LanguageModelV4Message): LanguageModelV4Message {
  resultImages.add(message);
  return message;
}

/** Each image after a line that names its call. */
function imagesOf({ content, tool_name, tool_use_id }: ToolResultBlock): UserPart[] {
  if (typeof content === 'string') return [];
  const label = textPart(`The result of ${tool_name || 'the tool'} (${tool_use_id}) is this image:`);
  return content.flatMap((block) => (block.type === 'image' ? [label, filePart(block)] : []));
}

function withoutImages(block: ToolResultBlock): ToolResultBlock {
  if (typeof block.content === 'string') return block;
  const texts = block.content.map((part) => (part.type === 'image' ? IMAGE_FOLLOWS : part.text));
  return { ...block, content: texts.join('\n') };
}

const IMAGE_FOLLOWS = '[an image, shown in the next user message]';

function convertAssistant({ content }: AssistantContent): LanguageModelV4Message[] {
  const parts: AssistantPart[] = [];
  for (const block of content) {
    // an empty text is rejected by most providers
    if (block.type !== 'text' || block.text !== '') parts.push(withMetadata(assistantPart(block), block));
  }
  return parts.length > 0 ? [{ role: 'assistant', content: parts.slice() }] : [];
}

function assistantPart(block: AssistantBlock): AssistantPart {
  if (block.type === 'text') return { type: 'text', text: block.text };
  if (block.type === 'thinking') return { type: 'reasoning', text: block.thinking };
  return { type: 'tool-call', toolCallId: block.id, toolName: block.name, input: block.input };
}

/** Returned to the provider unchanged: JSON by the SDK's contract, opaque to us. */
function withMetadata(part: AssistantPart, { providerMetadata }: AssistantBlock): AssistantPart {
  return providerMetadata ? { ...part, providerOptions: providerMetadata as SharedV4ProviderOptions } : part;
}

function toolResultPart(block: ToolResultBlock): LanguageModelV4ToolResultPart {
  const { tool_use_id: toolCallId, tool_name: toolName } = block;
  return { type: 'tool-result', toolCallId, toolName, output: toolOutput(block) };
}

function toolOutput({ content, is_error: isError }: ToolResultBlock): LanguageModelV4ToolResultOutput {
  if (typeof content === 'string') return { type: isError ? 'error-text' : 'text', value: content };
  if (isError) return { type: 'error-text', value: content.map(shownText).join('\n') };
  return {
    type: 'content',
    value: content.map((block) => (block.type === 'image' ? filePart(block) : { type: 'text', text: block.text })),
  };
}

function shownText(block: Exclude<UserBlock, ToolResultBlock>): string {
  return block.type === 'text' ? block.text : `[an image of type ${block.source.media_type}]`;
}

/** Anthropic rejects empty text; Claude Code sends these words instead. */
function textPart(text: string): LanguageModelV4TextPart {
  return { type: 'text', text: text === '' ? '(no content)' : text };
}

function filePart({ source }: ImageBlock): LanguageModelV4FilePart {
  return { type: 'file', mediaType: source.media_type, data: { type: 'data', data: source.data } };
}
