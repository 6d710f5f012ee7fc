import type { PermissionMode } from '../../permissions/types.ts';
import type { SetupTrigger } from '../../query/prompt/submitPrompt.ts';
import type { SettingsSource } from '../../session/settings/types.ts';

/** What `stopgate -p` was given, read and checked. */
export interface PromptFlags {
  readonly outputFormat: 'text' | 'json' | 'stream-json';
  /** Where prompts come from: the command line and stdin as text, or one JSON object a line on stdin. */
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
  /** Kinds of subagent: a JSON object or a file that holds one. */
  readonly agents?: string;
  /** The only tools the model is offered; undefined for all. */
  readonly tools?: readonly string[];
  readonly permissionMode?: PermissionMode;
  readonly addDir: readonly string[];
  /** 0 for no limit. */
  readonly maxTurns?: number;
  readonly maxBudgetUsd?: number;
  /** Output tokens that the session is meant to use. */
  readonly tokenBudget?: number;
  /** Output tokens after which it ends. */
  readonly tokenLimit?: number;
  readonly team?: string;
  readonly name?: string;
  /** Where the team's tasks are. */
  readonly store?: string;
  readonly model?: string;
  /** Models that are asked when that one cannot answer, with commas between. */
  readonly fallbackModel?: string;
  readonly resume?: string;
  readonly continue: boolean;
  /** With `resume` or `continue`: go on under a new id, and leave the old session as it is. */
  readonly forkSession: boolean;
  readonly sessionId?: string;
  /** False writes no transcript: the session cannot be resumed. */
  readonly sessionPersistence: boolean;
  /** Runs the Setup hooks with this trigger before the session starts. */
  readonly setup?: SetupTrigger;
  /** Exits once the Setup and SessionStart hooks ran. */
  readonly initOnly: boolean;
  readonly systemPrompt?: string;
  readonly appendSystemPrompt?: string;
  readonly bare: boolean;
  readonly trustProject: boolean;
  /** Exit with a code of its own unless the checks passed. */
  readonly requireProof: boolean;
  /** Refuse to run where commands cannot be shut in. */
  readonly requireSandbox: boolean;
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
};
