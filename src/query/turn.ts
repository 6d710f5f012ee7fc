import type { ToolDefinition } from '../models/types.ts';
import { type MakeMessages, makeMessages } from '../session/makeMessages.ts';
import type { Message } from '../session/messages.ts';
import { toolDefinition } from '../tools/toolDefinition.ts';
import type { QueryConfig } from './config.ts';
import type { QueryDeps } from './deps.ts';
import type { Query } from './queryParams.ts';
import { type BudgetTracker, createBudgetTracker } from './stop/tokenBudget.ts';
import type { ToolUseContext } from './toolUseContext.ts';

/** What the steps of one turn share: what was fixed at its start, its effects, and how it writes messages. */
export interface Turn {
  readonly config: QueryConfig;
  readonly deps: QueryDeps;
  readonly make: MakeMessages;
  readonly system: readonly string[];
  readonly userContext: Readonly<Record<string, string>>;
  readonly systemContext: Readonly<Record<string, string>>;
  readonly systemPrompt: readonly string[];
  readonly toolDefinitions: readonly ToolDefinition[];
  /** Aborted by the caller's signal, and by the turn's own end: nothing it started outlives it. */
  readonly signal: AbortSignal;
  /** What the turn remembers of its token budget. */
  readonly budgetTracker: BudgetTracker;
  /** Output tokens that were spent before this turn; the ledger may have seen others. */
  readonly tokensBefore: number;
  /** Starts a turn of a subagent. */
  readonly query: Query;
  /** Appends to the transcript, then hands the message on to be told. */
  record<M extends Message>(message: M): M;
}

export interface TurnStart {
  readonly query: Query;
  readonly config: QueryConfig;
  readonly deps: QueryDeps;
  readonly systemPrompt: readonly string[];
  readonly userContext: Readonly<Record<string, string>>;
  readonly systemContext: Readonly<Record<string, string>>;
  readonly toolUseContext: ToolUseContext;
  readonly signal: AbortSignal;
}

export function startTurn(start: TurnStart): Turn {
  const { deps, systemPrompt, systemContext } = start;
  const extra = Object.entries(systemContext).map(([name, text]) => `${name}: ${text}`);
  return {
    ...start,
    make: makeMessages(deps.clock, deps.ids),
    budgetTracker: createBudgetTracker(deps.clock.now()),
    tokensBefore: deps.ledger.turnOutputTokens,
    system: extra.length === 0 ? systemPrompt : [...systemPrompt, extra.join('\n')],
    toolDefinitions: start.toolUseContext.tools.map(toolDefinition),
    record: (message) => {
      deps.transcript.append(message);
      return message;
    },
  };
}

/**
 * Gives back what tools took for the turn: at each stop, and when the turn ends without one. Not a subagent's to do: it
 * would take the process-wide lock from the main thread. A failure is never the turn's.
 */
export async function cleanUpTurn(turn: Turn, { agentId }: ToolUseContext): Promise<void> {
  if (agentId !== undefined) return;
  await turn.deps.stopWork.cleanUpTurn().catch(() => turn.deps.logEvent('turn_cleanup_failed', {}));
}
