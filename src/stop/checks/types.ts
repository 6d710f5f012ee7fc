import type { CheckWhen } from './demand.ts';

/** One command of the definition of done, with its defaults filled in. */
export interface Check {
  readonly name: string;
  /** As written, for messages. */
  readonly commandText: string;
  readonly file: string;
  readonly args: readonly string[];
  readonly cwd: string;
  readonly timeoutMs: number;
  readonly when: CheckWhen;
  readonly lines: number;
  /** Files and folders, absolute, whose change means that it has to run again although git ignores them. */
  readonly inputs: readonly string[];
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
  /** Files changed, and this session called no tool that can change files. */
  | { readonly type: 'changedByOthers'; readonly check: Check }
  /** `started`: it ran until the time was over. */
  | { readonly type: 'outOfTime'; readonly check: Check; readonly started: boolean }
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
  /** HEAD when the session began; null when it is not known. */
  readonly startCommit: string | null;
  /** It goes on with the work of another session (`/clear`, a fork), whose tool calls are not in its transcript. */
  readonly continues: boolean;
}

export const NEW_SESSION: SessionChecks = {
  baseline: null,
  blockedAt: null,
  unchanged: 0,
  blocks: 0,
  startCommit: null,
  continues: false,
};
