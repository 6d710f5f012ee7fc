import type { AssistantContent, ConversationMessage, Model, ToolDefinition, ToolUseBlock } from '../../models/types.ts';
import type { TurnFacts } from '../../query/stop/stopWork.ts';
import { AppendOnlyList } from '../../system/appendOnly.ts';
import type { Asker, Question, Reply } from '../governor/askModel.ts';

/** The start of a fork: the prefix of a request, and the model's answer to it. */
export interface ForkBase {
  readonly system: readonly string[];
  readonly tools: readonly ToolDefinition[];
  readonly messages: Iterable<ConversationMessage>;
  readonly answer?: AssistantContent | undefined;
}

export interface ForkedQuestion {
  readonly base: ForkBase;
  readonly question: string;
  readonly maxOutputTokens: number;
}

/** A fork of a turn that has just been answered. */
export const forkOf = (turn: TurnFacts): ForkBase => ({ ...turn.snapshot, answer: answerOf(turn) });

/** The answer to the turn's last request. */
export function answerOf({ assistantMessages }: Pick<TurnFacts, 'assistantMessages'>): AssistantContent | undefined {
  const last = assistantMessages.at(-1);
  return last && !last.apiError ? { role: 'assistant', content: last.message.content } : undefined;
}

const NO_TOOLS = 'Not run: there are no tools here. Answer in text, from what the conversation already shows.';
/** A model that calls tools nevertheless is reminded once. */
const MAX_ROUNDS = 2;

/** Asks a forked question until there is text; tool calls are refused, never run. */
export async function askFork(asker: Asker, model: Model, fork: ForkedQuestion): Promise<Reply> {
  let request = forkedRequest(fork);
  for (let round = 1; ; round++) {
    const reply = await asker.ask(model, request);
    if (reply.type !== 'ok') return reply;
    const calls = reply.content.filter((block) => block.type === 'tool_use');
    if (reply.text !== '' || calls.length === 0) return reply;
    if (round === MAX_ROUNDS) return { type: 'failed', reason: 'the model called tools instead of answering' };
    const messages = request.messages.append(
      { role: 'assistant', content: reply.content },
      { role: 'user', content: calls.map(refusal) },
    );
    request = { ...request, messages, cachedMessages: request.messages.length };
  }
}

function refusal({ id, name }: ToolUseBlock) {
  return { type: 'tool_result', tool_use_id: id, tool_name: name, content: NO_TOOLS, is_error: true } as const;
}

/**
 * A question beside the conversation: the exact bytes of the turn's request, its answer, then the question. The list is
 * copied, because appending to the turn's own would make the turn's next append copy it. Tool calls stay possible: with
 * another tool choice the provider's cache would hold only tools and system prompt.
 */
function forkedRequest({
  base: { system, tools, messages, answer },
  question,
  maxOutputTokens,
}: ForkedQuestion): Question {
  const prefix = [...messages];
  // providers refuse a call without its result
  const isSpeakable = answer && answer.content.length > 0 && answer.content.every(({ type }) => type !== 'tool_use');
  const added = { role: 'user', content: [{ type: 'text', text: question }] } as const;
  return {
    system,
    tools,
    messages: AppendOnlyList.of<ConversationMessage>([...prefix, ...(isSpeakable ? [answer] : []), added]),
    maxOutputTokens,
    cachedMessages: prefix.length,
  };
}
