/** What a person wants of a launch. */
export interface LaunchRequest {
  readonly budgetSeconds: number;
  readonly graceSeconds: number;
  readonly agent: string;
  readonly words: readonly string[];
  readonly worktree: boolean;
  /** The agent gets this terminal instead of pipes. */
  readonly interactive: boolean;
  /** Where work that is not committed goes: a private ref, or the branch that is checked out. */
  readonly commit: 'wip' | 'branch';
  readonly profile: string;
  readonly tokenBudget?: number;
  readonly maxBudgetUsd?: number;
  readonly checks: boolean;
  readonly trustProject: boolean;
  /** A run without proof exits with a code of its own. */
  readonly requireProof: boolean;
  readonly requireSandbox: boolean;
  readonly reportFile?: string;
  readonly quiet: boolean;
  readonly json: boolean;
}
