import type { Message } from '../../session/messages.ts';
import { AppendOnlyList } from '../../system/appendOnly.ts';

/** After what the model last read, but before the session's context when that was the end: it belongs to the prompt. */
export function besideLast(messages: AppendOnlyList<Message>, added: Message): AppendOnlyList<Message> {
  const last = messages.at(-1);
  if (last?.type !== 'user' || !last.isContext) return messages.append(added);
  return AppendOnlyList.of([...messages.toArray().slice(0, -1), added, last]);
}
