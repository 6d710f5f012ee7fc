import { DeferredEndSchema } from '../../schemas/transcript.ts';
import type { MakeMessages } from '../makeMessages.ts';
import type { AssistantMessage, Message, UserMessage } from '../messages.ts';

const ABANDONED =
  'The session ended while this call was running. Whether it had any effect is not known: look before you repeat it.';

const DEFERRED = 'A hook deferred this call and ended the turn: it did not run.';

/**
 * The conversation of a resumed session, since the last compaction. A killed session may have calls without results; each
 * gets one, because a request with an unpaired call is refused. Results without a call are left out for the same reason.
 */
export function resumeMessages(messages: readonly Message[], make: MakeMessages): Message[] {
  const boundary = messages.findLastIndex((m) => m.type === 'system' && m.subtype === 'compact_boundary');
  const conversation = messages
    .slice(boundary + 1)
    .filter((m): m is UserMessage | AssistantMessage => m.type === 'user' || (m.type === 'assistant' && !m.apiError));
  const answered = new Set(conversation.flatMap((m) => (m.type === 'user' ? resultIds(m) : [])));
  const deferred = new Set(messages.flatMap(deferredCall));
  const called = new Set<string>();
  const resumed: Message[] = [];
  for (const message of conversation) {
    if (message.type === 'user') {
      const kept = withoutStrayResults(message, called);
      if (kept) resumed.push(kept);
      continue;
    }
    resumed.push(message);
    for (const { id, name } of message.message.content.filter((block) => block.type === 'tool_use')) {
      called.add(id);
      if (answered.has(id)) continue;
      const content = deferred.has(id) ? DEFERRED : ABANDONED;
      resumed.push(make.toolResult({ type: 'tool_result', tool_use_id: id, tool_name: name, content, is_error: true }));
    }
  }
  return resumed;
}

function resultIds({ message: { content } }: UserMessage): string[] {
  if (typeof content === 'string') return [];
  return content.flatMap((block) => (block.type === 'tool_result' ? [block.tool_use_id] : []));
}

function withoutStrayResults(message: UserMessage, called: ReadonlySet<string>): UserMessage | undefined {
  const { content } = message.message;
  if (typeof content === 'string') return message;
  const kept = content.filter((block) => block.type !== 'tool_result' || called.has(block.tool_use_id));
  if (kept.length === content.length) return message;
  return kept.length === 0 ? undefined : { ...message, message: { role: 'user', content: kept } };
}

/** The id of the call with which a turn ended because a hook deferred it. */
function deferredCall(message: Message): readonly string[] {
  if (message.type !== 'system' || message.subtype !== 'turn_end') return [];
  const end = DeferredEndSchema.safeParse(message.data);
  return end.success ? [end.data.terminal.call.id] : [];
}
