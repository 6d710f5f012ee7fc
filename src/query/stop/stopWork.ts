import type { ConversationMessage, Model, ToolDefinition } from '../../models/types.ts';
import type { AssistantMessage } from '../../session/messages.ts';
import type { AppendOnlyList } from '../../system/appendOnly.ts';
import type { LogEvent } from '../../system/log.ts';
import type { QuerySource } from '../config.ts';
import type { Terminal } from '../terminal.ts';
import { type Cleanup, turnCleanups } from './turnCleanups.ts';

/**
 * The exact prefix of the request that was just answered. Whoever asks something beside the conversation starts with
 * these very bytes, so that the provider's prompt cache is used instead of paid for again.
 */
export interface CacheSafeParams {
  readonly sessionId: string;
  readonly model: Model;
  readonly system: readonly string[];
  readonly tools: readonly ToolDefinition[];
  /** As they were sent; the answer is not among them. */
  readonly messages: AppendOnlyList<ConversationMessage>;
}

/** What a turn came to, for the work that follows it. */
export interface TurnFacts {
  readonly snapshot: CacheSafeParams;
  /** All answers of the turn, not just the last one's. */
  readonly assistantMessages: readonly AssistantMessage[];
  readonly querySource: QuerySource;
  readonly agentId: string | undefined;
  readonly signal: AbortSignal;
}

/**
 * What happens around a stop besides asking hooks. The turn only starts it: none of it can block, change the
 * conversation or fail the turn. What must be awaited before a process exits is the session's to drain.
 */
export interface StopWork {
  saveCacheSafeParams(params: CacheSafeParams): void;
  /** State of a background job; resolves when `state.json` is written. The turn waits, but not for ever. */
  classifyJob(facts: TurnFacts): Promise<void>;
  /** Prompt suggestion, memory extraction, auto-dream: started here, never awaited. */
  startAfterTurn(facts: TurnFacts): void;
  /** The turn is over. A job whose stop was blocked and whose next request failed must not be left as done. */
  turnEnded(end: Terminal): Promise<void>;
  /** A tool took something for the turn: what gives it back. The returned function takes the registration back. */
  registerCleanup(name: string, cleanUp: Cleanup): () => void;
  /** Releases what tools took for the turn (the computer-use lock). */
  cleanUpTurn(): Promise<void>;
}

/** Nothing happens around a stop, but what tools took is still given back. */
export function onlyCleanups(logEvent: LogEvent): StopWork {
  const cleanups = turnCleanups(logEvent);
  return {
    saveCacheSafeParams: () => {},
    classifyJob: async () => {},
    startAfterTurn: () => {},
    turnEnded: async () => {},
    registerCleanup: cleanups.register,
    cleanUpTurn: cleanups.run,
  };
}
