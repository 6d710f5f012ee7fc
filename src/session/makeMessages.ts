import type { ToolResultBlock, UserContent } from '../models/types.ts';
import { type Clock, systemClock, wallNow } from '../system/clock.ts';
import { type Ids, systemIds } from '../system/ids.ts';
import type { AssistantMessage, AttachmentMessage, SystemMessage, UserMessage } from './messages.ts';

export type MakeMessages = ReturnType<typeof makeMessages>;

type UserFlags = Pick<UserMessage, 'isMeta' | 'isCompactSummary' | 'isContext' | 'toolUseResult'>;
type AssistantFlags = Partial<Pick<AssistantMessage, 'apiError' | 'uuid' | 'modelId'>>;
type SystemFlags = Partial<Pick<SystemMessage, 'level' | 'data'>>;

/** Makes messages with ids and times from injected sources. */
export function makeMessages(clock: Clock = systemClock, ids: Ids = systemIds) {
  const timestamp = isoTimes(clock);
  // each message as one literal: one that is joined from parts costs several objects, and a long turn makes thousands
  const user = (content: UserContent['content'], flags: UserFlags = {}): UserMessage => ({
    type: 'user',
    uuid: ids.uuid(),
    timestamp: timestamp(),
    message: { role: 'user', content },
    ...flags,
  });
  return {
    user,
    /** A text that only the model reads. */
    hidden: (text: string, flags?: Pick<UserMessage, 'isCompactSummary'>) =>
      user([{ type: 'text', text }], { isMeta: true, ...flags }),
    toolResult: (block: ToolResultBlock, toolUseResult?: unknown) =>
      user([block], toolUseResult === undefined ? {} : { toolUseResult }),
    /** With the id that its pieces were emitted under, if any. */
    assistant: (message: AssistantMessage['message'], flags: AssistantFlags = {}): AssistantMessage => ({
      type: 'assistant',
      uuid: flags.uuid ?? ids.uuid(),
      timestamp: timestamp(),
      message,
      ...flags,
    }),
    system: (subtype: string, content: string, flags: SystemFlags = {}): SystemMessage => ({
      type: 'system',
      uuid: ids.uuid(),
      timestamp: timestamp(),
      subtype,
      content,
      level: 'info',
      ...flags,
    }),
    attachment: (attachment: AttachmentMessage['attachment']): AttachmentMessage => ({
      type: 'attachment',
      uuid: ids.uuid(),
      timestamp: timestamp(),
      attachment,
    }),
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
