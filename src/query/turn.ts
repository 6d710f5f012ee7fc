import type { ToolDefinition } from '../models/types.ts';
import { type MakeMessages, makeMessages } from '../session/makeMessages.ts';
import type { Message, SystemMessage } from '../session/messages.ts';
import { toolDefinition } from '../tools/toolDefinition.ts';
import {
  DEFAULT_CONFIG,
  type Query,
  type QueryConfig,
  type QueryDeps,
  type QueryParams,
  withDefaults,
} from './params.ts';
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
  /** Output tokens that were spent before this turn. */
  readonly tokensBefore: number;
  /** Starts a turn of a subagent. */
  readonly query: Query;
  /** Appends to the transcript and returns the message, to be emitted. */
  record<M extends Message>(message: M): M;
  /** Records a warning for the person. */
  warn(text: string): SystemMessage;
}

export type TurnStart = Omit<QueryParams, 'messages' | 'config'> & {
  readonly query: Query;
  readonly config?: Partial<QueryConfig> | undefined;
  /** The signal of `toolUseContext` by default. */
  readonly signal?: AbortSignal;
};

export function startTurn({ query, toolUseContext, systemPrompt, ...start }: TurnStart): Turn {
  const { userContext = {}, systemContext = {}, signal = toolUseContext.signal } = start;
  const deps = withDefaults(start.deps);
  const make = makeMessages(deps.clock, deps.ids);
  const record = <M extends Message>(message: M): M => {
    deps.transcript.append(message);
    return message;
  };
  const extra = Object.entries(systemContext).map(([name, text]) => `${name}: ${text}`);
  return {
    query,
    config: { ...DEFAULT_CONFIG, ...start.config },
    deps,
    signal,
    userContext,
    systemContext,
    systemPrompt,
    make,
    budgetTracker: createBudgetTracker(deps.clock.now()),
    tokensBefore: deps.ledger.turnOutputTokens,
    system: extra.length === 0 ? systemPrompt : [...systemPrompt, extra.join('\n')],
    toolDefinitions: toolUseContext.tools.map(toolDefinition),
    record,
    warn: (text) => record(make.system('informational', text, { level: 'warning' })),
  };
}

/**
 * Releases what tools took for the turn: at each stop, and when the turn ends without one. Not done for a subagent, which
 * would release the main thread's process-wide lock. A failure does not fail the turn.
 */
export async function cleanUpTurn(turn: Turn, { agentId }: ToolUseContext): Promise<void> {
  if (agentId !== undefined) return;
  await turn.deps.stopWork.cleanUpTurn().catch(() => turn.deps.logEvent('turn_cleanup_failed', {}));
}
