import type { AssistantMessage, Message } from '../../session/messages.ts';
import { AppendOnlyList } from '../../system/appendOnly.ts';
import { DEFAULT_CONFIG, type QuerySource } from '../config.ts';
import { type QueryDeps, withDefaults } from '../deps.ts';
import type { QueryEvent } from '../events.ts';
import { query } from '../query.ts';
import type { ToolUseContext } from '../toolUseContext.ts';
import { startTurn } from '../turn.ts';
import { stopPipeline } from './stopPipeline.ts';
import type { StopHookResult } from './stopResult.ts';

export type { StopHookResult } from './stopResult.ts';

/**
 * The stop pipeline for library users, with the arguments that SPEC §4 gives it. Our own loop calls `stopPipeline` with
 * the turn it already has.
 */
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
  const turn = startTurn({
    query,
    config: { ...DEFAULT_CONFIG, querySource },
    deps: withDefaults(deps),
    systemPrompt,
    userContext,
    systemContext,
    toolUseContext,
    signal: toolUseContext.signal,
  });
  const messages = AppendOnlyList.of(messagesForQuery);
  return yield* stopPipeline(turn, { messagesForQuery: messages, assistantMessages, toolUseContext, stopHookActive });
}
