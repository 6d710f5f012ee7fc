import type { PermissionMode } from '../../permissions/types.ts';
import type { SetupTrigger } from '../../query/prompt/submitPrompt.ts';
import type { SettingsSource } from '../../session/settings/types.ts';

/** The checked options of `stopgate -p`. */
export interface PromptFlags {
  readonly outputFormat: 'text' | 'json' | 'stream-json';
  /** The command line and stdin as text, or one JSON object per line on stdin. */
  readonly inputFormat: 'text' | 'stream-json';
  readonly verbose: boolean;
  readonly includePartialMessages: boolean;
  readonly includeHookEvents: boolean;
  readonly settings?: string;
  readonly settingSources?: readonly SettingsSource[];
  readonly allowedTools: readonly string[];
  readonly disallowedTools: readonly string[];
  /** Files or JSON objects with MCP servers. */
  readonly mcpConfig?: readonly string[];
  /** Only the servers of `mcpConfig`. */
  readonly strictMcpConfig: boolean;
  /** The kind of agent that the session itself is. */
  readonly agent?: string;
  /** Kinds of subagents: a JSON object or a file with one. */
  readonly agents?: string;
  /** The only tools to offer; undefined for all. */
  readonly tools?: readonly string[];
  readonly permissionMode?: PermissionMode;
  readonly addDir: readonly string[];
  /** 0 for no limit. */
  readonly maxTurns?: number;
  readonly maxBudgetUsd?: number;
  /** Output tokens that the session should use. */
  readonly tokenBudget?: number;
  /** Output tokens after which it ends. */
  readonly tokenLimit?: number;
  readonly team?: string;
  readonly name?: string;
  /** The store of the team's tasks. */
  readonly store?: string;
  readonly model?: string;
  /** Models to use when that one fails, separated by commas. */
  readonly fallbackModel?: string;
  readonly resume?: string;
  readonly continue: boolean;
  /** With `resume` or `continue`: continue in a copy with a new id. */
  readonly forkSession: boolean;
  readonly sessionId?: string;
  /** False writes no transcript: the session cannot be resumed. */
  readonly sessionPersistence: boolean;
  /** Runs the Setup hooks with this trigger before the session starts. */
  readonly setup?: SetupTrigger;
  /** Exits after the Setup and SessionStart hooks. */
  readonly initOnly: boolean;
  readonly systemPrompt?: string;
  readonly appendSystemPrompt?: string;
  readonly bare: boolean;
  readonly trustProject: boolean;
  /** Exits with 123 unless the checks passed. */
  readonly requireProof: boolean;
  /** Exits when there is no sandbox. */
  readonly requireSandbox: boolean;
  /** A terminal session of plain lines. */
  readonly plain: boolean;
}

export const DEFAULT_FLAGS: PromptFlags = {
  outputFormat: 'text',
  inputFormat: 'text',
  verbose: false,
  includePartialMessages: false,
  includeHookEvents: false,
  allowedTools: [],
  disallowedTools: [],
  strictMcpConfig: false,
  addDir: [],
  continue: false,
  forkSession: false,
  sessionPersistence: true,
  initOnly: false,
  bare: false,
  trustProject: false,
  requireProof: false,
  requireSandbox: false,
  plain: false,
};
