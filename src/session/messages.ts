import type { AssistantContent, ModelErrorClass, StopReason, Usage, UserContent } from '../models/types.ts';

/**
 * What a session is made of. Each message is one transcript line; `user` and `assistant` also go to the model,
 * `system` and `attachment` only to people and scripts.
 */
interface MessageBase {
  readonly uuid: string;
  /** ISO 8601. */
  readonly timestamp: string;
}

export interface UserMessage extends MessageBase {
  readonly type: 'user';
  readonly message: UserContent;
  /** Written by the engine, not by a person: sent to the model, hidden on a screen. */
  readonly isMeta?: boolean;
  readonly isCompactSummary?: boolean;
  /** The session's context: not part of the transcript, created for each turn. */
  readonly isContext?: boolean;
  /** The structured result of the tool whose `tool_result` this message carries. */
  readonly toolUseResult?: unknown;
}

export interface AssistantMessage extends MessageBase {
  readonly type: 'assistant';
  readonly message: AssistantContent & {
    readonly id: string;
    readonly model: string;
    readonly stop_reason: StopReason | null;
    readonly usage: Usage;
  };
  /** The chosen name of the model that wrote it (`message.model` is the provider's): only this model may read what it signed. */
  readonly modelId?: string;
  /** Set on a message that stands for an API error instead of an answer: shown, never sent to a model. */
  readonly apiError?: ModelErrorClass;
  /** What a MessageDisplay hook shows instead; emitted, never kept. */
  readonly displayText?: string;
}

export interface SystemMessage extends MessageBase {
  readonly type: 'system';
  /** `informational`, `api_retry`, `compact_boundary`, `permission_denied`, `stop_hook_summary`, `tool_use_summary`, … */
  readonly subtype: string;
  readonly content: string;
  readonly level: 'info' | 'notice' | 'warning' | 'error';
  readonly data?: Readonly<Record<string, unknown>>;
}

/** Something a hook or the engine adds beside the conversation. */
export interface AttachmentMessage extends MessageBase {
  readonly type: 'attachment';
  readonly attachment: { readonly type: string } & Readonly<Record<string, unknown>>;
}

export type Message = UserMessage | AssistantMessage | SystemMessage | AttachmentMessage;
