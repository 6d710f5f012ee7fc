/** What a person wants from a launch. */
export interface LaunchRequest {
  readonly budgetSeconds: number;
  readonly graceSeconds: number;
  readonly agent: string;
  readonly words: readonly string[];
  readonly worktree: boolean;
  /** The agent gets this terminal instead of pipes. */
  readonly interactive: boolean;
  /** Where uncommitted work goes: a private ref, or the current branch. */
  readonly commit: 'wip' | 'branch';
  readonly profile: string;
  readonly tokenBudget?: number;
  readonly maxBudgetUsd?: number;
  readonly checks: boolean;
  readonly trustProject: boolean;
  /** A run without proof exits with a special code. */
  readonly requireProof: boolean;
  readonly requireSandbox: boolean;
  readonly reportFile?: string;
  readonly quiet: boolean;
  readonly json: boolean;
}
