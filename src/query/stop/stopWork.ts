import type { ConversationMessage, Model, ToolDefinition } from '../../models/types.ts';
import type { AssistantMessage } from '../../session/messages.ts';
import type { AppendOnlyList } from '../../system/appendOnly.ts';
import type { LogEvent } from '../../system/log.ts';
import type { Terminal } from '../terminal.ts';

/** What started the turn. Only the first two are the person's own conversation. */
export type QuerySource = 'repl_main_thread' | 'sdk' | 'agent' | 'hook_agent' | 'background';

/**
 * The exact prefix of the request that was just answered. A side question starts with the same bytes, so that the
 * provider's prompt cache is used.
 */
export interface CacheSafeParams {
  readonly sessionId: string;
  readonly model: Model;
  readonly system: readonly string[];
  readonly tools: readonly ToolDefinition[];
  /** As they were sent; the answer is not among them. */
  readonly messages: AppendOnlyList<ConversationMessage>;
}

/** The result of a turn, for the work that follows it. */
export interface TurnFacts {
  readonly snapshot: CacheSafeParams;
  /** All answers of the turn, not just the last one. */
  readonly assistantMessages: readonly AssistantMessage[];
  readonly querySource: QuerySource;
  readonly agentId: string | undefined;
  readonly signal: AbortSignal;
}

/**
 * What happens around a stop besides hooks. The turn only starts it: none of it can block, change the conversation or
 * fail the turn. The session drains what must be awaited before a process exits.
 */
export interface StopWork {
  saveCacheSafeParams(params: CacheSafeParams): void;
  /** State of a background job; resolves when `state.json` is written. The turn waits for a limited time. */
  classifyJob(facts: TurnFacts): Promise<void>;
  /** Prompt suggestion, memory extraction, auto-dream: started here, never awaited. */
  startAfterTurn(facts: TurnFacts): void;
  /** The turn is over. A job whose stop was blocked and whose next request failed must not be left as done. */
  turnEnded(end: Terminal): Promise<void>;
  /** Registers how to release what a tool took for the turn. The returned function removes the registration. */
  registerCleanup(name: string, cleanUp: Cleanup): () => void;
  /** Releases what tools took for the turn (the computer-use lock). */
  cleanUpTurn(): Promise<void>;
}

/** Nothing happens around a stop except that what tools took is released. */
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

/** Restores what a tool took or changed for one turn. */
export type Cleanup = () => Promise<void> | void;

/** What tools leave to be restored when the turn of the main thread ends. */
export interface TurnCleanups {
  /** The returned function removes the registration. */
  register(name: string, cleanUp: Cleanup): () => void;
  /** Runs all of them, the latest first. A failure is logged and stops neither the others nor the turn. */
  run(): Promise<void>;
}

export function turnCleanups(logEvent: LogEvent): TurnCleanups {
  let registered: { readonly name: string; readonly cleanUp: Cleanup }[] = [];
  return {
    register: (name, cleanUp) => {
      const entry = { name, cleanUp };
      registered.push(entry);
      return () => {
        registered = registered.filter((one) => one !== entry);
      };
    },
    run: async () => {
      const due = registered.toReversed();
      registered = [];
      for (const { name, cleanUp } of due) {
        try {
          await cleanUp();
        } catch (error) {
          logEvent('turn_cleanup_failed', { name, error: (error as Error).message });
        }
      }
    },
  };
}
