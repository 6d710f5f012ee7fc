import type { ToolResultBlock, UserContent } from '../models/types.ts';
import { type Clock, systemClock, wallNow } from '../system/clock.ts';
import { type Ids, systemIds } from '../system/ids.ts';
import type { AssistantMessage, AttachmentMessage, SystemLevel, SystemMessage, UserMessage } from './messages.ts';

/** Makes messages with ids and times from injected sources. */
export interface MakeMessages {
  user(
    content: UserContent['content'],
    flags?: Pick<UserMessage, 'isMeta' | 'isCompactSummary' | 'isContext'>,
  ): UserMessage;
  toolResult(block: ToolResultBlock, toolUseResult?: unknown): UserMessage;
  /** With the id that its pieces were told under, when they were. */
  assistant(
    message: AssistantMessage['message'],
    flags?: Partial<Pick<AssistantMessage, 'apiError' | 'uuid' | 'modelId'>>,
  ): AssistantMessage;
  system(
    subtype: string,
    content: string,
    more?: { level?: SystemLevel; data?: Readonly<Record<string, unknown>> },
  ): SystemMessage;
  attachment(attachment: AttachmentMessage['attachment']): AttachmentMessage;
}

export function makeMessages(clock: Clock = systemClock, ids: Ids = systemIds): MakeMessages {
  const timestamp = isoTimes(clock);
  const base = () => ({ uuid: ids.uuid(), timestamp: timestamp() });
  return {
    user: (content, flags = {}) => ({ type: 'user', ...base(), message: { role: 'user', content }, ...flags }),
    toolResult: (block, toolUseResult) => ({
      type: 'user',
      ...base(),
      message: { role: 'user', content: [block] },
      ...(toolUseResult === undefined ? {} : { toolUseResult }),
    }),
    assistant: (message, { uuid = ids.uuid(), apiError, modelId } = {}) => ({
      type: 'assistant',
      uuid,
      timestamp: timestamp(),
      message,
      ...(apiError ? { apiError } : {}),
      ...(modelId ? { modelId } : {}),
    }),
    system: (subtype, content, { level = 'info', data } = {}) => ({
      type: 'system',
      ...base(),
      subtype,
      content,
      level,
      ...(data ? { data } : {}),
    }),
    attachment: (attachment) => ({ type: 'attachment', ...base(), attachment }),
  };
}

/** Messages of one step share their millisecond; writing it out again for each is the dearest part of making one. */
function isoTimes(clock: Clock): () => string {
  let at = Number.NaN;
  let text = '';
  return () => {
    const now = wallNow(clock);
    if (now !== at) {
      at = now;
      text = new Date(now).toISOString();
    }
    return text;
  };
}
