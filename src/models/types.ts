import type { AppendOnlyList } from '../system/appendOnly.ts';

/**
 * What a model is sent and what it answers. Content blocks have the Messages API's shape, because hooks, transcripts
 * and stream-json readers already know it; each provider's own shape is made at the edge (`aiSdk/`).
 */

/** Opaque values a provider wants back with the block it made (signatures of thinking, thought ids). */
export type ProviderMetadata = Readonly<Record<string, Readonly<Record<string, unknown>>>>;

export interface TextBlock {
  readonly type: 'text';
  readonly text: string;
  readonly providerMetadata?: ProviderMetadata;
}

interface ThinkingBlock {
  readonly type: 'thinking';
  readonly thinking: string;
  readonly providerMetadata?: ProviderMetadata;
}

export interface ToolUseBlock {
  readonly type: 'tool_use';
  readonly id: string;
  readonly name: string;
  readonly input: unknown;
  /** Set when the model's input was not JSON: the call is answered with this sentence instead of being run. */
  readonly inputError?: string;
  readonly providerMetadata?: ProviderMetadata;
}

export interface ImageBlock {
  readonly type: 'image';
  readonly source: { readonly type: 'base64'; readonly media_type: string; readonly data: string };
}

export interface ToolResultBlock {
  readonly type: 'tool_result';
  readonly tool_use_id: string;
  /** Some providers want the tool's name again with its result. */
  readonly tool_name: string;
  readonly content: string | readonly (TextBlock | ImageBlock)[];
  readonly is_error?: boolean;
}

export type AssistantBlock = TextBlock | ThinkingBlock | ToolUseBlock;
export type UserBlock = TextBlock | ImageBlock | ToolResultBlock;

export interface UserContent {
  readonly role: 'user';
  readonly content: string | readonly UserBlock[];
}

export interface AssistantContent {
  readonly role: 'assistant';
  readonly content: readonly AssistantBlock[];
}

/** Context that the engine adds, not the user: told with the system's authority where a model knows such messages. */
export interface SystemContent {
  readonly role: 'system';
  readonly content: string;
}

export type ConversationMessage = UserContent | AssistantContent | SystemContent;

export interface ToolDefinition {
  readonly name: string;
  readonly description: string;
  /** JSON Schema of the input. */
  readonly inputSchema: Readonly<Record<string, unknown>>;
}

export interface ModelRequest {
  readonly system: readonly string[];
  readonly messages: AppendOnlyList<ConversationMessage>;
  readonly tools: readonly ToolDefinition[];
  /** 'none' keeps the tools in the request, so that the provider's prompt cache still fits, but forbids calls. */
  readonly toolChoice?: 'auto' | 'none';
  readonly maxOutputTokens?: number;
  readonly signal: AbortSignal;
  /** Called before the last event, with sentences that a person should read once: what a server refused, what was skipped. */
  readonly onNotice?: (sentence: string) => void;
}

/** Tokens of one request. `inputTokens` excludes what was read from or written to the provider's cache. */
export interface Usage {
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly cacheReadTokens: number;
  readonly cacheWriteTokens: number;
}

export type StopReason = 'end_turn' | 'tool_use' | 'max_tokens' | 'refusal' | 'other';

/** The classes that a StopFailure hook can match on. */
export type ModelErrorClass =
  | 'rate_limit'
  | 'overloaded'
  | 'authentication_failed'
  | 'billing_error'
  | 'invalid_request'
  | 'model_not_found'
  | 'server_error'
  | 'max_output_tokens'
  | 'unknown';

export interface ModelFailure {
  readonly errorClass: ModelErrorClass;
  /** One sentence for a person. */
  readonly message: string;
  readonly status?: number;
  readonly retryable: boolean;
  readonly retryAfterMs?: number;
  /** The conversation does not fit: worth compacting, not retrying. */
  readonly promptTooLong?: boolean;
  /** The provider's own body, bounded; for `--debug`. */
  readonly details?: string;
}

/** One reply as it comes. Exactly one `finish` or `failed` ends it; nothing follows. */
export type ModelEvent =
  | { readonly type: 'start'; readonly id?: string; readonly model?: string }
  /** What the provider has counted so far; a reply that breaks off has no other count. */
  | { readonly type: 'usage'; readonly usage: Usage }
  | { readonly type: 'text_delta'; readonly text: string }
  | { readonly type: 'thinking_delta'; readonly text: string }
  | { readonly type: 'tool_input_delta'; readonly id: string; readonly name: string; readonly text: string }
  | { readonly type: 'block'; readonly block: AssistantBlock }
  | { readonly type: 'finish'; readonly stopReason: StopReason; readonly usage: Usage }
  /** `usage` where the provider counted a reply that broke off. */
  | { readonly type: 'failed'; readonly failure: ModelFailure; readonly usage?: Usage };

/** A model that can be replaced by the next of a list. */
export interface ModelFallback {
  /** Goes on with the next model; undefined when there is none left. */
  next(): { readonly from: string; readonly to: string } | undefined;
  /** Whether another than the first one answers now. */
  isUsed(): boolean;
  /** Goes back to the first: an overload passes. */
  reset(): void;
}

export interface Model {
  /** As people write it: `anthropic/claude-sonnet-4-5`, `scripted:demo.json`. */
  readonly id: string;
  readonly contextWindow: number;
  /**
   * There while `contextWindow` is a guess that the server could replace: asks it, in bounded time, and returns a sentence
   * when it does not say. Never rejects.
   */
  readonly learnWindow?: ((signal: AbortSignal) => Promise<string | undefined>) | undefined;
  readonly maxOutputTokens: number;
  /** The environment variable that its key is from, when it has a key. */
  readonly keySource?: string;
  /** There when other models stand by in case this one cannot answer. */
  readonly fallback?: ModelFallback;
  /** Never throws and never rejects: what goes wrong is a `failed` event. An abort ends it with no final event. */
  stream(request: ModelRequest): AsyncIterable<ModelEvent>;
}

export const NO_USAGE: Usage = { inputTokens: 0, outputTokens: 0, cacheReadTokens: 0, cacheWriteTokens: 0 };

export function addUsage(a: Usage, b: Usage): Usage {
  return {
    inputTokens: a.inputTokens + b.inputTokens,
    outputTokens: a.outputTokens + b.outputTokens,
    cacheReadTokens: a.cacheReadTokens + b.cacheReadTokens,
    cacheWriteTokens: a.cacheWriteTokens + b.cacheWriteTokens,
  };
}
