import type { AppendOnlyList } from '../system/appendOnly.ts';

// Content blocks have the shape of the Messages API, which hooks, transcripts and stream-json readers already know;
// `aiSdk/` converts them for each provider.

/** Opaque values that a provider wants back with its block (signatures of thinking, thought ids). */
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
  /** Set when the model's input was not JSON: the result of the call is this sentence; the tool does not run. */
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
  /** Some providers want the tool's name with its result. */
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

/** Context from the engine, not the user; has the system's authority where a model supports such messages. */
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
  /** 'none' forbids calls but keeps the tools in the request, so that the prompt cache stays valid. */
  readonly toolChoice?: 'auto' | 'none';
  readonly maxOutputTokens?: number;
  readonly signal: AbortSignal;
  /** Called before the last event, with notices for the user: what a server refused, what was skipped. */
  readonly onNotice?: (sentence: string) => void;
}

/** Tokens of one request. `inputTokens` excludes cache reads and writes. */
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
  /** One sentence for the user. */
  readonly message: string;
  readonly status?: number;
  readonly retryable: boolean;
  readonly retryAfterMs?: number;
  /** The conversation does not fit: compact it, do not retry. */
  readonly promptTooLong?: boolean;
  /** The provider's response body, truncated; for `--debug`. */
  readonly details?: string;
}

/** One reply as it arrives. Exactly one `finish` or `failed` ends it. */
export type ModelEvent =
  | { readonly type: 'start'; readonly id?: string; readonly model?: string }
  /** The provider's count so far; a reply that breaks off has no other. */
  | { readonly type: 'usage'; readonly usage: Usage }
  | { readonly type: 'text_delta'; readonly text: string }
  | { readonly type: 'thinking_delta'; readonly text: string }
  | { readonly type: 'tool_input_delta'; readonly id: string; readonly name: string; readonly text: string }
  | { readonly type: 'block'; readonly block: AssistantBlock }
  | { readonly type: 'finish'; readonly stopReason: StopReason; readonly usage: Usage }
  /** `usage` if the provider counted a reply that broke off. */
  | { readonly type: 'failed'; readonly failure: ModelFailure; readonly usage?: Usage };

/** The models that can replace one. */
export interface ModelFallback {
  /** Switches to the next model; undefined when none is left. */
  next(): { readonly from: string; readonly to: string } | undefined;
  /** Whether a model other than the first is in use. */
  isUsed(): boolean;
  /** Switches back to the first: an overload passes. */
  reset(): void;
}

export interface Model {
  /** As people write it: `anthropic/claude-sonnet-4-5`, `scripted:demo.json`. */
  readonly id: string;
  readonly contextWindow: number;
  /** Set while `contextWindow` is a guess: queries the server, and returns a notice without an answer. Never rejects. */
  readonly learnWindow?: ((signal: AbortSignal) => Promise<string | undefined>) | undefined;
  readonly maxOutputTokens: number;
  /** Where its key comes from: an environment variable or apiKeyHelper. */
  readonly keySource?: string;
  /** Set when other models can replace this one. */
  readonly fallback?: ModelFallback;
  /** Never throws or rejects: a failure is a `failed` event. An abort ends it without a final event. */
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

export function totalTokens({ inputTokens, outputTokens, cacheReadTokens, cacheWriteTokens }: Usage): number {
  return inputTokens + outputTokens + cacheReadTokens + cacheWriteTokens;
}

/** The text of a message or of a tool's result, without its other blocks. */
export function textIn(content: string | readonly (UserBlock | AssistantBlock)[], separator = '\n'): string {
  if (typeof content === 'string') return content;
  return content.flatMap((block) => (block.type === 'text' ? [block.text] : [])).join(separator);
}
