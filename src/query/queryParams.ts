import type { Message } from '../session/messages.ts';
import type { QueryConfig } from './config.ts';
import type { QueryDeps } from './deps.ts';
import type { QueryEvent } from './events.ts';
import type { Terminal } from './terminal.ts';
import type { ToolUseContext } from './toolUseContext.ts';

export interface QueryParams {
  /** The conversation so far; the last message is what the turn answers. Already in the transcript. */
  readonly messages: Iterable<Message>;
  readonly systemPrompt: readonly string[];
  /** Told to the model before the conversation (project instructions, the date); not part of the transcript. */
  readonly userContext?: Readonly<Record<string, string>>;
  /** Added to the system prompt (the state of the repository). */
  readonly systemContext?: Readonly<Record<string, string>>;
  readonly toolUseContext: ToolUseContext;
  readonly config?: Partial<QueryConfig>;
  readonly deps?: Partial<QueryDeps>;
}

/** `query` itself, as its steps know it: a subagent is a turn of its own. */
export type Query = (params: QueryParams) => AsyncGenerator<QueryEvent, Terminal>;
