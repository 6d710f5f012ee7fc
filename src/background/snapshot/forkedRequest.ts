import type { AssistantContent, ConversationMessage, ModelRequest, ToolDefinition } from '../../models/types.ts';
import { AppendOnlyList } from '../../system/appendOnly.ts';
import type { Question } from '../governor/askModel.ts';

/** What a fork starts from: the prefix of a request, and what the model answered to it. */
export interface ForkBase {
  readonly system: readonly string[];
  readonly tools: readonly ToolDefinition[];
  readonly messages: Iterable<ConversationMessage>;
  readonly answer?: AssistantContent | undefined;
}

export interface ForkOptions {
  /**
   * `auto`, as the turn's own request has it, unless told. `none` would be the plain way to forbid calls, but the
   * provider's cache of the conversation is bound to the choice: with another one only tools and system prompt are
   * read from it. So calls are left possible, and refused in words when one is made.
   */
  readonly toolChoice?: ModelRequest['toolChoice'];
  readonly maxOutputTokens: number;
}

/**
 * A question beside the conversation: the very bytes of the turn's request, then its answer, then the question. The
 * list is copied, because appending to the turn's own would take the place of the turn's next message.
 */
export function forkedRequest(base: ForkBase, question: string, options: ForkOptions): Question {
  const prefix = [...base.messages];
  const answer = base.answer && speakable(base.answer);
  const asked: ConversationMessage = { role: 'user', content: [{ type: 'text', text: question }] };
  return {
    system: base.system,
    tools: base.tools,
    messages: AppendOnlyList.of([...prefix, ...(answer ? [answer] : []), asked]),
    ...(options.toolChoice ? { toolChoice: options.toolChoice } : {}),
    maxOutputTokens: options.maxOutputTokens,
    cachedMessages: prefix.length,
  };
}

/** An answer that can stand before a question: a call without its result would be refused by the provider. */
function speakable(answer: AssistantContent): AssistantContent | undefined {
  const { role, content } = answer;
  if (content.length === 0 || content.some((block) => block.type === 'tool_use')) return undefined;
  return { role, content };
}
