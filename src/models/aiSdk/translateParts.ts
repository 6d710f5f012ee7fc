import type { LanguageModelV4FinishReason, LanguageModelV4StreamPart, LanguageModelV4Usage } from '@ai-sdk/provider';
import { startUsage } from '../../schemas/startUsage.ts';
import type { ModelEvent, ProviderMetadata, StopReason, ToolUseBlock, Usage } from '../types.ts';

type Part<Type extends LanguageModelV4StreamPart['type']> = Extract<LanguageModelV4StreamPart, { type: Type }>;

interface OpenBlock {
  readonly type: 'text' | 'thinking';
  text: string;
  metadata: ProviderMetadata | undefined;
}

/** The state of one reply while its parts arrive. */
export class ReplyInProgress {
  /** Ready to yield; the reader removes them. */
  readonly events: ModelEvent[] = [];
  readonly open = new Map<string, OpenBlock>();
  readonly toolNames = new Map<string, string>();
  started = false;
  calledTools = false;
  finish: { readonly reason: LanguageModelV4FinishReason; readonly usage: Usage } | undefined;
  /** Set by an error part. */
  error: { readonly value: unknown } | undefined;

  /** Handles the next part. Kinds that are not in the table (sources, raw chunks, new ones) are ignored. */
  take(part: LanguageModelV4StreamPart): void {
    const translate = TRANSLATIONS[part.type] as ((reply: ReplyInProgress, part: unknown) => void) | undefined;
    translate?.(this, part);
  }

  emit(event: ModelEvent): void {
    if (!this.started) this.start({});
    this.events.push(event);
  }

  start({ id, modelId }: { id?: string | undefined; modelId?: string | undefined }): void {
    if (this.started) return;
    this.started = true;
    this.events.push({ type: 'start', ...(id ? { id } : {}), ...(modelId ? { model: modelId } : {}) });
  }

  stopReason(): StopReason {
    const reason = this.finish?.reason.unified ?? 'other';
    // Some providers end with `stop` although they called tools; the calls still need results.
    if (this.calledTools && reason !== 'length' && reason !== 'content-filter') return 'tool_use';
    return STOP_REASONS[reason];
  }
}

const STOP_REASONS: Readonly<Record<LanguageModelV4FinishReason['unified'], StopReason>> = {
  stop: 'end_turn',
  length: 'max_tokens',
  'tool-calls': 'tool_use',
  'content-filter': 'refusal',
  error: 'other',
  interrupted: 'other',
  other: 'other',
};

const TRANSLATIONS: {
  readonly [Type in LanguageModelV4StreamPart['type']]?: (reply: ReplyInProgress, part: Part<Type>) => void;
} = {
  'response-metadata': (reply, part) => reply.start(part),
  custom: (reply, part) => takeCount(reply, part),
  'text-start': (reply, part) => openBlock(reply, 'text', part),
  'text-delta': (reply, part) => grow(reply, 'text', part),
  'text-end': (reply, part) => closeBlock(reply, part),
  'reasoning-start': (reply, part) => openBlock(reply, 'thinking', part),
  'reasoning-delta': (reply, part) => grow(reply, 'thinking', part),
  'reasoning-end': (reply, part) => closeBlock(reply, part),
  'tool-input-start': (reply, { id, toolName }) => void reply.toolNames.set(id, toolName),
  'tool-input-delta': (reply, { id, delta }) => {
    if (delta === '') return;
    reply.emit({ type: 'tool_input_delta', id, name: reply.toolNames.get(id) ?? '', text: delta });
  },
  'tool-call': (reply, part) => {
    if (part.providerExecuted) return;
    reply.calledTools = true;
    reply.emit({ type: 'block', block: toolUse(part) });
  },
  finish: (reply, { finishReason, usage }) => {
    for (const id of [...reply.open.keys()]) closeBlock(reply, { id });
    reply.finish = { reason: finishReason, usage: convertUsage(usage) };
  },
  error: (reply, { error }) => {
    reply.error = { value: error };
  },
};

interface BlockPart {
  readonly id: string;
  readonly providerMetadata?: ProviderMetadata;
}

function openBlock(reply: ReplyInProgress, type: OpenBlock['type'], { id, providerMetadata }: BlockPart): OpenBlock {
  // Text and thinking may use the same id at the same time; ids repeat only after their end.
  const block: OpenBlock = { type, text: '', metadata: providerMetadata };
  reply.open.set(id, block);
  return block;
}

function grow(reply: ReplyInProgress, type: OpenBlock['type'], part: BlockPart & { readonly delta: string }): void {
  const block = reply.open.get(part.id) ?? openBlock(reply, type, { id: part.id });
  if (part.providerMetadata) block.metadata = merged(block.metadata, part.providerMetadata);
  if (part.delta === '') return;
  block.text += part.delta;
  reply.emit({ type: type === 'text' ? 'text_delta' : 'thinking_delta', text: part.delta });
}

function closeBlock(reply: ReplyInProgress, { id, providerMetadata }: BlockPart): void {
  const block = reply.open.get(id);
  if (!block) return;
  reply.open.delete(id);
  const metadata = merged(block.metadata, providerMetadata);
  const more = metadata ? { providerMetadata: metadata } : {};
  // Hidden thinking has no text, only metadata that the provider wants back.
  if (block.type === 'thinking' && (block.text !== '' || metadata))
    reply.emit({ type: 'block', block: { type: 'thinking', thinking: block.text, ...more } });
  if (block.type === 'text' && block.text !== '')
    reply.emit({ type: 'block', block: { type: 'text', text: block.text, ...more } });
}

function merged(
  before: ProviderMetadata | undefined,
  added: ProviderMetadata | undefined,
): ProviderMetadata | undefined {
  if (!before || !added) return added ?? before;
  const all: Record<string, Readonly<Record<string, unknown>>> = { ...before };
  for (const [provider, values] of Object.entries(added)) all[provider] = { ...all[provider], ...values };
  return all;
}

function toolUse({ toolCallId, toolName, input, providerMetadata }: Part<'tool-call'>): ToolUseBlock {
  return {
    type: 'tool_use',
    id: toolCallId,
    name: toolName,
    ...parseInput(toolName, input),
    ...(providerMetadata ? { providerMetadata } : {}),
  };
}

/** A tool's input must be an object: providers refuse anything else in the history. */
function parseInput(toolName: string, text: string): Pick<ToolUseBlock, 'input' | 'inputError'> {
  if (text.trim() === '') return { input: {} };
  try {
    const input: unknown = JSON.parse(text);
    if (typeof input === 'object' && input !== null && !Array.isArray(input)) return { input };
    return { input: {}, inputError: `The input for ${toolName} was not a JSON object; call it again with one.` };
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    return {
      input: {},
      inputError: `The input for ${toolName} was not valid JSON (${reason}); call it again with valid JSON.`,
    };
  }
}

/** Anthropic's first event counts the prompt: the only count of a reply that breaks off. */
function takeCount(reply: ReplyInProgress, { kind, providerMetadata }: Part<'custom'>): void {
  if (kind !== 'anthropic.message_start') return;
  const usage = startUsage.safeParse(providerMetadata?.anthropic?.usage);
  if (!usage.success) return;
  const { input_tokens, output_tokens, cache_read_input_tokens, cache_creation_input_tokens } = usage.data;
  reply.emit({
    type: 'usage',
    usage: {
      inputTokens: input_tokens,
      outputTokens: output_tokens,
      cacheReadTokens: cache_read_input_tokens,
      cacheWriteTokens: cache_creation_input_tokens,
    },
  });
}

function convertUsage({ inputTokens, outputTokens }: LanguageModelV4Usage): Usage {
  const cacheReadTokens = inputTokens.cacheRead ?? 0;
  const cacheWriteTokens = inputTokens.cacheWrite ?? 0;
  return {
    inputTokens: inputTokens.noCache ?? Math.max(0, (inputTokens.total ?? 0) - cacheReadTokens - cacheWriteTokens),
    outputTokens: outputTokens.total ?? (outputTokens.text ?? 0) + (outputTokens.reasoning ?? 0),
    cacheReadTokens,
    cacheWriteTokens,
  };
}
