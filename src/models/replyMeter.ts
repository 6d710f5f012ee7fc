import type { ConversationMessage, ModelEvent, ModelRequest, Usage, UserBlock } from './types.ts';

/** About four characters per token and 1,600 tokens per image. */
const CHARACTERS_PER_TOKEN = 4;
const IMAGE_CHARACTERS = 1_600 * CHARACTERS_PER_TOKEN;

/** Estimates the usage of a reply that breaks off: providers bill it, but most report usage only at the end. */
export class ReplyMeter {
  #characters = 0;
  #began = false;
  #counted: Usage | undefined;

  see(event: ModelEvent): void {
    if (event.type === 'failed' || event.type === 'usage') this.#counted = event.usage ?? this.#counted;
    if (event.type === 'failed') return;
    this.#began = true;
    if ('text' in event) this.#characters += event.text.length;
  }

  /** The usage so far: the provider's count, else an estimate. Undefined when nothing arrived. */
  brokenOff(request: ModelRequest): Usage | undefined {
    if (!this.#began && !this.#counted) return undefined;
    const written = Math.ceil(this.#characters / CHARACTERS_PER_TOKEN);
    if (!this.#counted) {
      const inputTokens = estimateInput(request);
      return { inputTokens, outputTokens: written, cacheReadTokens: 0, cacheWriteTokens: 0 };
    }
    return { ...this.#counted, outputTokens: Math.max(this.#counted.outputTokens, written) };
  }
}

/** The input tokens of a request, roughly. */
export const estimateInput = (request: ModelRequest): number =>
  Math.ceil(requestCharacters(request) / CHARACTERS_PER_TOKEN);

function requestCharacters({ system, messages, tools }: ModelRequest): number {
  let characters = system.reduce((sum, text) => sum + text.length, 0) + JSON.stringify(tools).length;
  for (const message of messages) characters += messageCharacters(message);
  return characters;
}

function messageCharacters({ content }: ConversationMessage): number {
  if (typeof content === 'string') return content.length;
  let characters = 0;
  for (const block of content) {
    if (block.type === 'tool_use') characters += JSON.stringify(block.input ?? null).length;
    else if (block.type === 'thinking') characters += block.thinking.length;
    else characters += userBlockCharacters(block);
  }
  return characters;
}

function userBlockCharacters(block: UserBlock): number {
  if (block.type === 'image') return IMAGE_CHARACTERS;
  if (block.type === 'text') return block.text.length;
  if (typeof block.content === 'string') return block.content.length;
  return block.content.reduce((sum, part) => sum + userBlockCharacters(part), 0);
}
