import type { AssistantMessage, Message } from '../../session/messages.ts';
import { AppendOnlyList } from '../../system/appendOnly.ts';
import type { QueryEvent } from '../events.ts';
import type { QueryDeps } from '../params.ts';
import { query } from '../query.ts';
import type { ToolUseContext } from '../toolUseContext.ts';
import { startTurn } from '../turn.ts';
import { NO_STOPS } from './stopHistory.ts';
import { stopPipeline } from './stopPipeline.ts';
import type { StopHookResult } from './stopResult.ts';
import type { QuerySource } from './stopWork.ts';

/** The stop pipeline for library users. Our own loop calls `stopPipeline` with the turn it already has. */
export async function* handleStopHooks(
  messagesForQuery: Iterable<Message>,
  assistantMessages: readonly AssistantMessage[],
  systemPrompt: readonly string[],
  userContext: Readonly<Record<string, string>>,
  systemContext: Readonly<Record<string, string>>,
  toolUseContext: ToolUseContext,
  querySource: QuerySource,
  stopHookActive = false,
  deps: Partial<QueryDeps> = {},
): AsyncGenerator<QueryEvent, StopHookResult> {
  const config = { querySource };
  const turn = startTurn({ query, config, deps, systemPrompt, userContext, systemContext, toolUseContext });
  const messages = AppendOnlyList.of(messagesForQuery);
  const attempt = { messagesForQuery: messages, assistantMessages, toolUseContext, stopHookActive };
  return yield* stopPipeline(turn, { ...attempt, history: NO_STOPS, changed: null });
}
