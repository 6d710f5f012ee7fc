/** One command of the definition of done, with its defaults filled in. */
export interface Check {
  readonly name: string;
  /** As written, for messages. */
  readonly commandText: string;
  readonly file: string;
  readonly args: readonly string[];
  readonly cwd: string;
  readonly timeoutMs: number;
  readonly when: 'changed' | 'always';
  readonly lines: number;
}

export interface DefinitionOfDone {
  /** Where it is written, for messages. */
  readonly file: string;
  readonly checks: readonly Check[];
  readonly stallAfter: number;
  readonly maxBlocks: number;
}

/** How one check went. What was not run has a reason, so that nothing is skipped in silence. */
export type CheckResult =
  | { readonly type: 'passed'; readonly check: Check; readonly durationMs: number }
  | { readonly type: 'remembered'; readonly check: Check }
  | { readonly type: 'nothingChanged'; readonly check: Check }
  | { readonly type: 'outOfTime'; readonly check: Check }
  | {
      readonly type: 'failed';
      readonly check: Check;
      /** `exited 1 after 3.2 s` */
      readonly how: string;
      readonly output: string;
    };

export type FailedCheck = Extract<CheckResult, { type: 'failed' }>;

/** What is known of a session's earlier stops. */
export interface SessionChecks {
  /** The digest of the files when the session began; null when nobody looked. */
  readonly baseline: string | null;
  /** The digest at the last stop that was sent back. */
  readonly blockedAt: string | null;
  /** Stops in a row, after the first, that found the same files. */
  readonly unchanged: number;
  readonly blocks: number;
}

export const NEW_SESSION: SessionChecks = { baseline: null, blockedAt: null, unchanged: 0, blocks: 0 };
