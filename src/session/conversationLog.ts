import type { MessageSource } from '../hooks/kind.ts';
import type { ConversationMessage } from '../models/types.ts';
import { AppendOnlyList } from '../system/appendOnly.ts';
import { conversationOf } from './conversation.ts';
import type { Message } from './messages.ts';

/**
 * The conversation of each agent of a session so far, for hooks that judge it or match on its last message. Written with
 * the transcript, so it is never behind what was emitted.
 */
export class ConversationLog {
  readonly #byAgent = new Map<string, AppendOnlyList<Message>>();

  /** A writer that remembers before it writes. A compaction clears the memory. */
  follow<Writer extends { append(message: Message): void }>(
    writer: Writer,
    agentId = '',
    history: Iterable<Message> = [],
  ): Writer {
    this.#byAgent.set(agentId, AppendOnlyList.of(history));
    return {
      ...writer,
      append: (message: Message) => {
        const compacted = message.type === 'system' && message.subtype === 'compact_boundary';
        const before = compacted ? AppendOnlyList.of<Message>() : this.messages(agentId);
        this.#byAgent.set(agentId, before.append(message));
        writer.append(message);
      },
    };
  }

  messages(agentId = ''): AppendOnlyList<Message> {
    return this.#byAgent.get(agentId) ?? AppendOnlyList.of<Message>();
  }

  conversation(agentId = ''): AppendOnlyList<ConversationMessage> {
    return conversationOf(this.messages(agentId));
  }

  /** The text of the last message of a source, if there is one. */
  lastText(source: MessageSource, agentId = ''): string | undefined {
    const conversation = this.conversation(agentId);
    for (let i = conversation.length - 1; i >= 0; i--) {
      const text = textFrom(conversation.at(i) as ConversationMessage, source);
      if (text !== undefined) return text;
    }
    return undefined;
  }
}

function textFrom({ role, content }: ConversationMessage, source: MessageSource): string | undefined {
  if (role !== (source === 'assistant' ? 'assistant' : 'user')) return undefined;
  if (typeof content === 'string') return source === 'tool_result' ? undefined : content;
  const texts = content.flatMap((block) => {
    if (source === 'tool_result') return block.type === 'tool_result' ? [resultText(block.content)] : [];
    return block.type === 'text' ? [block.text] : [];
  });
  return texts.length === 0 ? undefined : texts.join('\n');
}

function resultText(content: string | readonly { readonly type: string; readonly text?: string }[]): string {
  if (typeof content === 'string') return content;
  return content.map((part) => part.text ?? '').join('\n');
}
