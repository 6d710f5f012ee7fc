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
  /** The default for requests; the provider decides when undefined. */
  readonly maxOutputTokens: number | undefined;
  readonly caching?: 'anthropic' | 'none';
  readonly providerOptions?: SharedV4ProviderOptions;
  /** Whether the provider enforces the schema of tool inputs; its own default when undefined. */
  readonly strictTools?: boolean;
}

/** The options of one provider call. The caller runs `giveBack` after the provider has read them. */
interface LentCall {
  readonly options: LanguageModelV4CallOptions;
  giveBack(): void;
}

export type MakeCallOptions = (request: ModelRequest, signal: AbortSignal) => LentCall;

/** Builds provider calls. When a conversation has only grown, only its new messages are converted. */
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

/** Every request of a turn has the same list of tools, so it is converted once. */
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
