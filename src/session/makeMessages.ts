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
  /** A text that only the model reads. */
  hidden(text: string, flags?: Pick<UserMessage, 'isCompactSummary'>): UserMessage;
  toolResult(block: ToolResultBlock, toolUseResult?: unknown): UserMessage;
  /** With the id that its pieces were emitted under, if any. */
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
  const user: MakeMessages['user'] = (content, flags = {}) => ({
    type: 'user',
    ...base(),
    message: { role: 'user', content },
    ...flags,
  });
  return {
    user,
    hidden: (text, flags) => user([{ type: 'text', text }], { isMeta: true, ...flags }),
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

/** Wraps a text that comes from the system and not from the user. */
export const systemReminder = (text: string) => `<system-reminder>\n${text}\n</system-reminder>`;

/** Messages of one step share their millisecond; formatting it is the most expensive part of making one. */
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
