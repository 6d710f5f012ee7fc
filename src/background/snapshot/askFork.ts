import type { Model, ToolResultBlock, ToolUseBlock } from '../../models/types.ts';
import type { Asker, Reply } from '../governor/askModel.ts';
import { type ForkBase, type ForkOptions, forkedRequest } from './forkedRequest.ts';

const NO_TOOLS = 'Not run: there are no tools here. Answer in text, from what the conversation already shows.';
/** A model that calls tools nevertheless is reminded once. */
const MAX_ROUNDS = 2;

/** Asks a forked question until there is text; tool calls are refused, never run. */
export async function askFork(
  asker: Asker,
  model: Model,
  fork: { readonly base: ForkBase; readonly question: string; readonly options: ForkOptions },
): Promise<Reply> {
  let request = forkedRequest(fork.base, fork.question, fork.options);
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

function refusal({ id, name }: ToolUseBlock): ToolResultBlock {
  return { type: 'tool_result', tool_use_id: id, tool_name: name, content: NO_TOOLS, is_error: true };
}
