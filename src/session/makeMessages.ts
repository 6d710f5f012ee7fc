import type { ToolResultBlock, UserContent } from '../models/types.ts';
import { type Clock, systemClock } from '../system/clock.ts';
import { type Ids, systemIds } from '../system/ids.ts';
import type { AssistantMessage, AttachmentMessage, SystemLevel, SystemMessage, UserMessage } from './messages.ts';

/** Makes messages with ids and times from injected sources. */
export interface MakeMessages {
  user(
    content: UserContent['content'],
    flags?: Pick<UserMessage, 'isMeta' | 'isCompactSummary' | 'isContext'>,
  ): UserMessage;
  toolResult(block: ToolResultBlock, toolUseResult?: unknown): UserMessage;
  assistant(message: AssistantMessage['message'], flags?: Pick<AssistantMessage, 'apiError'>): AssistantMessage;
  system(
    subtype: string,
    content: string,
    more?: { level?: SystemLevel; data?: Readonly<Record<string, unknown>> },
  ): SystemMessage;
  attachment(attachment: AttachmentMessage['attachment']): AttachmentMessage;
}

export function makeMessages(clock: Clock = systemClock, ids: Ids = systemIds): MakeMessages {
  const base = () => ({ uuid: ids.uuid(), timestamp: new Date(clock.now()).toISOString() });
  return {
    user: (content, flags = {}) => ({ type: 'user', ...base(), message: { role: 'user', content }, ...flags }),
    toolResult: (block, toolUseResult) => ({
      type: 'user',
      ...base(),
      message: { role: 'user', content: [block] },
      ...(toolUseResult === undefined ? {} : { toolUseResult }),
    }),
    assistant: (message, flags = {}) => ({ type: 'assistant', ...base(), message, ...flags }),
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
