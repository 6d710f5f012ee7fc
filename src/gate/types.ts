import type { CheckProgress } from '../stop/checks/types.ts';
import type { GateEnding } from '../stop/ending.ts';

/** One command of a definition of done; the same fields as in `stopgate.config.json`. */
export interface GateCheck {
  /** Its name in messages; default: the command. */
  readonly name?: string;
  /** A shell command, or a program and its arguments, which run without a shell. */
  readonly command: string | readonly string[];
  /** `90s`, `10m`, `1h30m`, or seconds; default: 10 minutes. */
  readonly timeout?: string | number;
  /** Default: at every stop of work, and after a pass only when files changed. */
  readonly when?: 'changed' | 'always';
  /** How many lines of its output the agent sees when it fails; default: 40. */
  readonly lines?: number;
  /** Relative to `cwd` of the gate. */
  readonly cwd?: string;
  /** Its inputs that git does not see, relative to `cwd` of the gate. */
  readonly inputs?: readonly string[];
  /** `warn`: its failure is shown and never blocks. */
  readonly severity?: 'block' | 'warn';
  /** `session`: what fails when the gate begins is accepted. */
  readonly baseline?: 'session';
  /** Where the names of failing tests are; without a path, in what the check prints. */
  readonly report?: { readonly format: 'junit' | 'tap' | 'json'; readonly path?: string };
}

/** A definition of done in the program; the same fields as in `stopgate.config.json`. */
export interface GateConfig {
  readonly checks?: readonly GateCheck[];
  /** The default for every check. */
  readonly when?: 'changed' | 'always';
  /** After so many more stops in a row without progress the agent may stop as `stalled`; default: 2. */
  readonly stallAfter?: number;
  /** After so many refused stops it may stop as `capped`; default: 20. */
  readonly maxBlocks?: number;
  /** Globs of files that the agent must leave as they are. */
  readonly protect?: readonly string[];
  /** Globs of files that checks run and that the agent may change nevertheless. */
  readonly editable?: readonly string[];
}

export interface GateOptions {
  /** The project. Checks run there, and `stopgate.config.json` is looked for from there upward in its repository. */
  readonly cwd: string;
  /** Names the session in the ledger, receipts and `stopgate why`; the same one continues it. Default: a new one. */
  readonly sessionId?: string;
  /**
   * The definition of done: an object is the program's own word and needs no trust; a string is the path of a file, which
   * needs `stopgate trust` as the one that is found does.
   */
  readonly config?: GateConfig | string;
  /** Short for `config: { checks }`; with an object in `config` it replaces the checks there. */
  readonly checks?: readonly GateCheck[];
  /** A configuration that is read from a file may run, whatever `stopgate trust` recorded. */
  readonly trusted?: boolean;
  /** Refused stops until it may stop as `capped`; replaces `maxBlocks` of the configuration. */
  readonly maxAttempts?: number;
  /** Stops in a row without progress until it may stop as `stalled`; replaces `stallAfter` of the configuration. */
  readonly stallAfter?: number;
  /** From the creation of the gate: `20m`, or seconds. After it, the agent is not sent back. */
  readonly timeBudget?: string | number;
  /** The same as a point in time: a date, or milliseconds since 1970. */
  readonly deadline?: Date | number;
  /**
   * Output tokens that the agent is meant to use, as `--token-budget`: a stop before 90% of them is sent back, until that adds
   * nothing more. Needs the `usage` of each stop.
   */
  readonly tokenBudget?: number;
  /** Output tokens that it may use: after them it is not sent back. Needs the `usage` of each stop. */
  readonly maxTokens?: number;
  /**
   * When the gate itself fails, so that nothing is proven. `goOn` (default): the agent is sent back up to three times in a
   * row, then it may stop with the ending `error`. `stop`: it may stop so the first time. `throw`: `mayStop` rejects.
   */
  readonly onFailure?: 'goOn' | 'stop' | 'throw';
  /**
   * What the agent is asked for. `order` (default): work, so it is checked although no file changed. `question`: an answer,
   * so unchanged files need no check. `proof`: every check has to run.
   */
  readonly demand?: 'question' | 'order' | 'proof';
  /** The name of the loop, for the ledger; default: `gate`. */
  readonly agent?: string;
  /** Of the checks; default: that of the process. Secrets in it are withheld from the checks. */
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** Where ledger, receipts and frozen definitions are; default: `STOPGATE_HOME`, or `.stopgate` in the home folder. */
  readonly stopgateHome?: string;
  /** Called with each sentence for people, as soon as it is known; they are also in `notes`. Default: none is printed. */
  readonly onNote?: (note: string) => void;
  /** Called as each check begins and ends. */
  readonly onCheck?: (progress: CheckProgress) => void;
}

export interface ToolCall {
  readonly name: string;
  readonly input?: unknown;
  /** Undefined when it is not known. */
  readonly failed?: boolean | undefined;
}

/** The agent has given an answer and has no tool call left: it would stop now. */
export interface StopRequest {
  /** Its last words, for the record: what it claims. */
  readonly answer?: string | undefined;
  /** The tool calls since the last answer, for the record. */
  readonly toolCalls?: readonly ToolCall[] | undefined;
  /** What the agent used in all so far. */
  readonly usage?: { readonly outputTokens?: number | undefined } | undefined;
  /**
   * What the agent left running, in Claude Code's form. Checks wait for commands (`type: 'shell'`) that end; other open tasks
   * let one stop through unchecked, because the loop resumes when they end.
   */
  readonly background?: readonly unknown[] | undefined;
  /** How the turn ended if the agent did not end it: `error`, `rate_limit`, `interrupted`. Such a stop is never refused. */
  readonly endedBy?: string | undefined;
  /** Other fields of the event, as Claude Code sends it: `transcript_path`, `permission_mode`, `session_crons`. */
  readonly event?: object | undefined;
  /** Ends running checks. The verdict is then `stop` with the ending `skipped` (`why: 'checksInterrupted'`). */
  readonly signal?: AbortSignal | undefined;
}

export interface CheckEvidence {
  readonly name: string;
  /** `passed`, `remembered` (it passed before with the same files), `failed`, `waived`, `nothingChanged`, … */
  readonly outcome: GateEnding['checks'][number]['outcome'];
  /** Null when a signal ended it; undefined when it did not run at this stop. */
  readonly exitCode?: number | null;
  readonly durationMs?: number;
  /** ISO 8601. */
  readonly endedAt?: string;
}

/** What a verdict is based on; the ledger and the receipt of the session have the same. */
export interface Evidence {
  readonly checks: readonly CheckEvidence[];
  /** The files that were checked; null when they were not read. */
  readonly tree: TreeEvidence | null;
}

export interface TreeEvidence {
  /** Of all files that count for the checks. */
  readonly digest: string;
  readonly head: string | null;
  /** HEAD when the session began. */
  readonly startCommit: string | null;
  /** Of `git diff` from the start commit; null when it could not be taken. */
  readonly diffSha256: string | null;
  /** Changed since the start; the first ones. Without a start commit, only what is not committed. */
  readonly files: readonly string[];
  readonly fileCount: number;
}

/** How a session may end: `passed`, `advised`, `accepted`, `waived`, `stalled`, `capped`, `skipped`, `outOfTime`, … */
export type StopEnding = GateEnding & {
  readonly type: Exclude<GateEnding['type'], 'blocked' | 'notAsked' | 'left_running' | 'no_work'>;
};

export interface StopVerdict {
  readonly type: 'stop';
  readonly ending: StopEnding;
  /** Everything that has to pass did, by the definition that the session began with. */
  readonly proven: boolean;
  readonly evidence: Evidence;
  /** Sentences for people, not for the agent. */
  readonly notes: readonly string[];
}

export interface GoOnVerdict {
  readonly type: 'goOn';
  /** For the agent, as a message of the user. */
  readonly feedback: string;
  /** How often this gate has sent the agent back, with this time. */
  readonly attempt: number;
  /** Unique: for loops that name their messages. */
  readonly id: string;
  readonly evidence: Evidence;
  /** Sentences for people, not for the agent. */
  readonly notes: readonly string[];
}

export type Verdict = StopVerdict | GoOnVerdict;

/** May this call run, so short before the deadline? */
export type CallAnswer = { readonly type: 'pass' } | { readonly type: 'refuse'; readonly reason: string };

export interface Gate {
  readonly sessionId: string;
  /** The last one; null before the first. */
  readonly verdict: Verdict | null;
  /** Absolute. */
  readonly cwd: string;
  /**
   * Resolves when the definition of done is frozen, with notes for people. That started when the gate was created; await it
   * before the agent can edit files. Rejects with one sentence when an option is wrong.
   */
  begin(): Promise<readonly string[]>;
  /**
   * May it stop? Asks one after another, also when called twice. Rejects only for wrong options, or with
   * `onFailure: 'throw'`.
   */
  mayStop(stop?: StopRequest): Promise<Verdict>;
  /** The verdict when a caller could not get one, by `onFailure`; throws `error` for `throw`. */
  noVerdict(error: unknown): Verdict;
  /** Milliseconds until the deadline, negative after it; null without one. */
  timeLeft(): number | null;
  /** Output tokens until `maxTokens`, by the last `usage`; null without that limit. */
  tokensLeft(): number | null;
  /** The time that is left, as a line for the agent: `BUDGET: 12m03s remaining`; null without a deadline. */
  countdown(): string | null;
  /** Refuses calls that no longer fit before the deadline, as `stopgate launch` does; by Claude Code's names of tools. */
  mayRun(call: ToolCall): Promise<CallAnswer>;
}
