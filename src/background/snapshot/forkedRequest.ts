import type { AssistantContent, ConversationMessage, ModelRequest, ToolDefinition } from '../../models/types.ts';
import { AppendOnlyList } from '../../system/appendOnly.ts';
import type { Question } from '../governor/askModel.ts';

/** The start of a fork: the prefix of a request, and the model's answer to it. */
export interface ForkBase {
  readonly system: readonly string[];
  readonly tools: readonly ToolDefinition[];
  readonly messages: Iterable<ConversationMessage>;
  readonly answer?: AssistantContent | undefined;
}

export interface ForkOptions {
  /**
   * Default: `auto`, as in the turn's own request. `none` would forbid calls, but with another choice the provider's cache
   * holds only tools and system prompt. So calls stay possible, and are refused with a text.
   */
  readonly toolChoice?: ModelRequest['toolChoice'];
  readonly maxOutputTokens: number;
}

/**
 * A question beside the conversation: the exact bytes of the turn's request, its answer, then the question. The list is
 * copied, because appending to the turn's own would make the turn's next append copy it.
 */
export function forkedRequest(base: ForkBase, question: string, options: ForkOptions): Question {
  const prefix = [...base.messages];
  const answer = base.answer && speakable(base.answer);
  const message: ConversationMessage = { role: 'user', content: [{ type: 'text', text: question }] };
  return {
    system: base.system,
    tools: base.tools,
    messages: AppendOnlyList.of([...prefix, ...(answer ? [answer] : []), message]),
    ...(options.toolChoice ? { toolChoice: options.toolChoice } : {}),
    maxOutputTokens: options.maxOutputTokens,
    cachedMessages: prefix.length,
  };
}

/** Undefined for an answer with a call, because providers refuse a call without its result. */
function speakable(answer: AssistantContent): AssistantContent | undefined {
  const { role, content } = answer;
  if (content.length === 0 || content.some((block) => block.type === 'tool_use')) return undefined;
  return { role, content };
}
