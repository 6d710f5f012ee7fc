/** Who is asking. Only the first two are the person's own conversation. */
export type QuerySource = 'repl_main_thread' | 'sdk' | 'agent' | 'hook_agent' | 'background';

/** What is fixed when a turn starts and holds until it ends. */
export interface QueryConfig {
  readonly querySource: QuerySource;
  readonly maxTurns: number | undefined;
  readonly maxBudgetUsd: number | undefined;
  /** Output tokens after which the turn ends; all that the ledger has count. */
  readonly maxOutputTokens: number | undefined;
  readonly maxRetries: number;
  /** Consecutive blocked stops that are obeyed; 0 obeys all. */
  readonly stopHookBlockCap: number;
  readonly autoCompact: boolean;
  /** Output tokens the turn is meant to use; null for none. */
  readonly tokenBudget: number | null;
  /** Subagents that run side by side. */
  readonly maxConcurrentSubagents: number;
  /** Nothing runs after the turn. */
  readonly bare: boolean;
}

export const DEFAULT_CONFIG: QueryConfig = {
  querySource: 'sdk',
  maxTurns: undefined,
  maxBudgetUsd: undefined,
  maxOutputTokens: undefined,
  maxRetries: 10,
  stopHookBlockCap: 8,
  autoCompact: true,
  tokenBudget: null,
  maxConcurrentSubagents: 20,
  bare: false,
};
