import type { Reading } from '../../git/treeStates.ts';
import type { FailureSet } from '../../schemas/baseline.ts';
import type { CheckRun } from '../../schemas/gateDecision.ts';
import type { SessionChecks } from '../../schemas/sessionChecks.ts';
import type { ReportFormat } from '../../schemas/stopgateConfig.ts';
import type { TreeState } from '../frozen/protectedFiles.ts';
import type { CheckWhen } from './demand.ts';
import type { Found } from './failureSet.ts';

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
  /** Absolute paths of files and folders whose change makes it run again although git ignores them. */
  readonly inputs: readonly string[];
  /** Of the configuration, or of the copy of the project that it runs in. */
  readonly folder: string;
  readonly severity: 'block' | 'warn';
  /** `session`: what fails when a session begins is accepted in it. */
  readonly baseline: 'session' | null;
  /** Where the names of failing tests are; `path` is null for what it prints. */
  readonly report: { readonly format: ReportFormat; readonly path: string | null } | null;
}

export interface DefinitionOfDone {
  readonly file: string;
  readonly checks: readonly Check[];
  readonly stallAfter: number;
  readonly maxBlocks: number;
  /** Globs of files that a session must not change or delete, from the folder of the configuration. */
  readonly protect: readonly string[];
  /** Globs of files that checks run and agents may change. */
  readonly editable: readonly string[];
  /** Asked about the work of a completed task, after its checks have passed. */
  readonly judge: JudgeRule | null;
}

/** How a model judges completed work, and what its answer, or none, leads to. */
export interface JudgeRule {
  /** Null: by the task alone. */
  readonly criteria: string | null;
  /** Null: the default of the verifier. */
  readonly model: string | null;
  /** Of one try. */
  readonly timeoutMs: number;
  /** Whether work without a verdict is done, or waits for one. */
  readonly onError: 'accept' | 'block';
  /** After so many rejections a person decides. */
  readonly maxRejections: number;
}

/** The outcome of one check. A check that did not run has a reason, so that nothing is skipped silently. */
export type CheckResult =
  | { readonly type: 'passed'; readonly check: Check; readonly durationMs: number; readonly ran?: CheckRun }
  | { readonly type: 'remembered'; readonly check: Check }
  | { readonly type: 'nothingChanged'; readonly check: Check }
  /** Files changed, but this session called no tool that can change files. */
  | { readonly type: 'changedByOthers'; readonly check: Check }
  /** `started`: it ran until the time was over. */
  | { readonly type: 'outOfTime'; readonly check: Check; readonly started: boolean }
  /** It failed, and a person accepted that. */
  | { readonly type: 'waived'; readonly check: Check; readonly reason: string; readonly ran?: CheckRun | undefined }
  /** It failed as it did when that was accepted, or less. `words`: `3 failing tests, accepted 4d ago: legacy suite` */
  | { readonly type: 'accepted'; readonly check: Check; readonly words: string; readonly ran?: CheckRun | undefined }
  /** It failed, and its `severity` is `warn`. */
  | (Failure & { readonly type: 'advised' })
  | (Failure & { readonly type: 'failed' });

interface Failure {
  readonly check: Check;
  /** `exited 1 after 3.2s` */
  readonly how: string;
  readonly output: string;
  /** What failed, or why that cannot be compared with another run. Without it, it did not end by itself. */
  readonly found?: Found;
  /** What of it was accepted before: hashes of lines, or names of tests. Only the rest is shown. */
  readonly accepted?: FailureSet;
  readonly ran?: CheckRun | undefined;
}

export type FailedCheck = Extract<CheckResult, { type: 'failed' }>;
export type AdvisedCheck = Extract<CheckResult, { type: 'advised' }>;

export const NEW_SESSION: SessionChecks = {
  baseline: null,
  blockedAt: null,
  failedAt: null,
  unchanged: 0,
  blocks: 0,
  attempts: 0,
  sent: {},
  began: {},
  startCommit: null,
  continues: false,
};

/** What a session works on, at one stop. */
export interface CheckedState {
  /** Changes whenever files change. Where no exact digest is possible, a rough one of names, sizes and times. */
  readonly files: string;
  /** What a pass is remembered by: everything that a check is known to read. Null: no pass may be remembered. */
  readonly key: string | null;
  /** Why `files` is rough or `key` is null. */
  readonly problem: string | null;
  readonly isRough: boolean;
  /** The commit of HEAD. */
  readonly head: string | null;
  /** What protected files are compared by; a sentence when it is not known. */
  readonly tree: TreeState | string;
  /** Undefined where it is not known. */
  readonly reading?: Reading | undefined;
}

const ROUGH = 'rough:';

export const roughFiles = (digest: string): string => `${ROUGH}${digest}`;

/** An exact and a rough digest cannot be compared. */
export const areComparable = (one: string, other: string): boolean => one.startsWith(ROUGH) === other.startsWith(ROUGH);

/** One check as it runs. */
export interface CheckProgress {
  readonly name: string;
  readonly state: 'running' | CheckResult['type'];
}

/** Of a session, given by a program or in a file. */
export interface GivenDefinition {
  /** Its folder is that of the checks. */
  readonly file: string;
  /** Null: the file has it. Otherwise there is no such file, so that no agent can edit it. */
  readonly text: string | null;
}
