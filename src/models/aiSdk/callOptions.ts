import type {
  LanguageModelV4CallOptions,
  LanguageModelV4FunctionTool,
  LanguageModelV4Message,
  LanguageModelV4Prompt,
  SharedV4ProviderOptions,
} from '@ai-sdk/provider';
import { AppendOnlyList, deriveIncrementally } from '../../system/appendOnly.ts';
import type { ConversationMessage, ModelRequest, ToolDefinition } from '../types.ts';
import { markForCaching } from './cacheMarks.ts';
import { convertMessage } from './convertMessages.ts';

export interface CallSettings {
  /** Sent when a request names none; left to the provider when undefined. */
  readonly maxOutputTokens: number | undefined;
  readonly caching: 'anthropic' | 'none';
  readonly providerOptions: SharedV4ProviderOptions | undefined;
  /** Whether the provider should hold tool inputs to the schema; its own default when undefined. */
  readonly strictTools: boolean | undefined;
}

export type MakeCallOptions = (request: ModelRequest, signal: AbortSignal) => LanguageModelV4CallOptions;

/**
 * Makes a provider call of a request. Conversion is incremental: of a conversation that only grew, the new messages
 * are converted and the rest is a copy of pointers.
 */
export function callOptionsMaker(
  settings: CallSettings,
  convert: (message: ConversationMessage) => readonly LanguageModelV4Message[] | undefined = convertMessage,
): MakeCallOptions {
  const converted = deriveIncrementally<ConversationMessage, readonly LanguageModelV4Message[]>(convert);
  const flat = flattenIncrementally<LanguageModelV4Message>();
  const tools = toolsConverter(settings.strictTools);
  return (request, abortSignal) => {
    const system = request.system.map((content): LanguageModelV4Message => ({ role: 'system', content }));
    const prompt: LanguageModelV4Prompt = system.concat(flat(converted(request.messages)).toArray());
    const maxOutputTokens = request.maxOutputTokens ?? settings.maxOutputTokens;
    return {
      prompt: settings.caching === 'anthropic' ? markForCaching(prompt) : prompt,
      ...(request.tools.length > 0
        ? { tools: tools(request.tools), toolChoice: { type: request.toolChoice ?? 'auto' } }
        : {}),
      ...(maxOutputTokens === undefined ? {} : { maxOutputTokens }),
      ...(settings.providerOptions ? { providerOptions: settings.providerOptions } : {}),
      abortSignal,
    };
  };
}

/** The items of a list of lists, of which only those are gone through that were not there before. */
function flattenIncrementally<T>(): (list: AppendOnlyList<readonly T[]>) => AppendOnlyList<T> {
  const known = new WeakMap<object, { readonly flat: AppendOnlyList<T>; readonly seen: number }>();
  return (list) => {
    const before = known.get(list.lineage);
    let { flat, seen } = before && before.seen <= list.length ? before : { flat: AppendOnlyList.of<T>(), seen: 0 };
    for (; seen < list.length; seen++) flat = flat.append(...(list.at(seen) ?? []));
    known.set(list.lineage, { flat, seen });
    return flat;
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
