import type {
  LanguageModelV4CallOptions,
  LanguageModelV4FunctionTool,
  LanguageModelV4Message,
  SharedV4ProviderOptions,
} from '@ai-sdk/provider';
import type { ConversationMessage, ModelRequest, ToolDefinition } from '../types.ts';
import { convertMessage } from './convertMessages.ts';
import { growingPrompts } from './growingPrompt.ts';

export interface CallSettings {
  /** Sent when a request names none; left to the provider when undefined. */
  readonly maxOutputTokens: number | undefined;
  readonly caching: 'anthropic' | 'none';
  readonly providerOptions: SharedV4ProviderOptions | undefined;
  /** Whether the provider should hold tool inputs to the schema; its own default when undefined. */
  readonly strictTools: boolean | undefined;
}

/** What a provider is called with; `giveBack` once it has read it. */
interface LentCall {
  readonly options: LanguageModelV4CallOptions;
  giveBack(): void;
}

export type MakeCallOptions = (request: ModelRequest, signal: AbortSignal) => LentCall;

/** Makes a provider call of a request. Of a conversation that only grew, only the new messages are converted. */
export function callOptionsMaker(
  settings: CallSettings,
  convert: (message: ConversationMessage) => readonly LanguageModelV4Message[] | undefined = (message) =>
    convertMessage(message),
): MakeCallOptions {
  const lend = growingPrompts(convert, settings.caching === 'anthropic');
  const tools = toolsConverter(settings.strictTools);
  return (request, abortSignal) => {
    const { prompt, giveBack } = lend(request);
    const maxOutputTokens = request.maxOutputTokens ?? settings.maxOutputTokens;
    const options: LanguageModelV4CallOptions = {
      prompt,
      ...(request.tools.length > 0
        ? { tools: tools(request.tools), toolChoice: { type: request.toolChoice ?? 'auto' } }
        : {}),
      ...(maxOutputTokens === undefined ? {} : { maxOutputTokens }),
      ...(settings.providerOptions ? { providerOptions: settings.providerOptions } : {}),
      abortSignal,
    };
    return { options, giveBack };
  };
}

/** A turn sends the same list of tools with every request: it is converted once. */
function toolsConverter(strict: boolean | undefined) {
  const known = new WeakMap<readonly ToolDefinition[], LanguageModelV4FunctionTool[]>();
  return (tools: readonly ToolDefinition[]): LanguageModelV4FunctionTool[] => {
    const before = known.get(tools);
    if (before) return before;
    const made = tools.map(({ name, description, inputSchema }): LanguageModelV4FunctionTool => {
      const schema: LanguageModelV4FunctionTool['inputSchema'] = { ...inputSchema };
      return { type: 'function', name, description, inputSchema: schema, ...(strict === undefined ? {} : { strict }) };
    });
    known.set(tools, made);
    return made;
  };
}
