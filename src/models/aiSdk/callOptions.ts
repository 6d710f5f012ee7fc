import type {
  LanguageModelV4CallOptions,
  LanguageModelV4FunctionTool,
  LanguageModelV4Message,
  LanguageModelV4Prompt,
  SharedV4ProviderOptions,
} from '@ai-sdk/provider';
import type { ConversationMessage, ModelRequest } from '../types.ts';
import { convertMessage, resultImages } from './convertMessages.ts';

export interface CallSettings {
  /** The default for requests; the provider decides when undefined. */
  readonly maxOutputTokens: number | undefined;
  readonly caching?: 'anthropic' | 'none';
  readonly providerOptions?: SharedV4ProviderOptions;
  /** Whether the provider enforces the schema of tool inputs; its own default when undefined. */
  readonly strictTools?: boolean;
}

export type MakeCallOptions = (request: ModelRequest, signal: AbortSignal) => LanguageModelV4CallOptions;
type Convert = (message: ConversationMessage) => readonly LanguageModelV4Message[];

/** Builds the options of provider calls. When a conversation has only grown, only its new messages are converted. */
export function callOptionsMaker(settings: CallSettings, convert: Convert = (message) => convertMessage(message)) {
  const converted = growingConversion(convert);
  const { strictTools: strict, providerOptions, caching } = settings;
  const makeCallOptions: MakeCallOptions = (
    { system, messages, tools, toolChoice = 'auto', ...request },
    abortSignal,
  ) => {
    const maxOutputTokens = request.maxOutputTokens ?? settings.maxOutputTokens;
    const prompt = [...system.map((content) => ({ role: 'system', content }) as const), ...converted(messages)];
    if (caching === 'anthropic') markForCaching(prompt, system.length);
    const offered = tools.map(({ name, description, inputSchema }): LanguageModelV4FunctionTool => {
      return { type: 'function', name, description, inputSchema, ...(strict === undefined ? {} : { strict }) };
    });
    return {
      prompt,
      ...(offered.length > 0 ? { tools: offered, toolChoice: { type: toolChoice } } : {}),
      ...(maxOutputTokens === undefined ? {} : { maxOutputTokens }),
      ...(providerOptions ? { providerOptions } : {}),
      abortSignal,
    };
  };
  return makeCallOptions;
}

/** Converting the whole history for each request would be quadratic in a long turn. */
function growingConversion(convert: Convert): (messages: ModelRequest['messages']) => LanguageModelV4Prompt {
  const known = new WeakMap<object, { readonly prompt: LanguageModelV4Prompt; seen: number }>();
  return (messages) => {
    const before = known.get(messages.lineage);
    const grown = before && before.seen <= messages.length ? before : { prompt: [], seen: 0 };
    known.set(messages.lineage, grown);
    for (; grown.seen < messages.length; grown.seen++) {
      for (const message of convert(messages.at(grown.seen) as ConversationMessage)) add(grown.prompt, message);
    }
    return grown.prompt;
  };
}

/** Providers want all results directly after the calls, so images of a round's results stay behind its last result. */
function add(prompt: LanguageModelV4Prompt, message: LanguageModelV4Message): void {
  const images =
    message.role === 'tool' ? prompt.length - 1 - prompt.findLastIndex((one) => !resultImages.has(one)) : 0;
  prompt.splice(prompt.length - images, 0, message);
}

/**
 * Marks where Anthropic's prompt cache may end: at the end of the system prompt (which covers the tools), of this
 * request, and of the previous one. The last matters after many parallel tool results: Anthropic looks for a mark only
 * twenty blocks back. Up to four marks are allowed.
 */
function markForCaching(prompt: LanguageModelV4Prompt, systemLength: number): void {
  const answer = prompt.findLastIndex(({ role }) => role === 'assistant');
  const previous = prompt.findLastIndex(({ role }, place) => place < answer && role !== 'assistant');
  for (const place of new Set([systemLength - 1, previous, prompt.length - 1])) {
    const message = prompt[place];
    if (message) prompt[place] = marked(message);
  }
}

function marked({ providerOptions, ...message }: LanguageModelV4Message): LanguageModelV4Message {
  const anthropic = { ...providerOptions?.anthropic, cacheControl: { type: 'ephemeral' } };
  return { ...message, providerOptions: { ...providerOptions, anthropic } };
}
