import type { PermissionMode } from '../session/permissions/types.ts';
import type { SettingsSource } from '../session/settings/types.ts';

/** What `stopgate -p` was given, read and checked. */
export interface PromptFlags {
  readonly outputFormat: 'text' | 'json' | 'stream-json';
  readonly verbose: boolean;
  readonly includePartialMessages: boolean;
  readonly includeHookEvents: boolean;
  readonly settings?: string;
  readonly settingSources?: readonly SettingsSource[];
  readonly allowedTools: readonly string[];
  readonly disallowedTools: readonly string[];
  readonly permissionMode?: PermissionMode;
  readonly addDir: readonly string[];
  readonly maxTurns?: number;
  readonly maxBudgetUsd?: number;
  readonly tokenBudget?: number;
  readonly team?: string;
  readonly name?: string;
  /** Where the team's tasks are. */
  readonly store?: string;
  readonly model?: string;
  readonly resume?: string;
  readonly continue: boolean;
  readonly sessionId?: string;
  readonly systemPrompt?: string;
  readonly appendSystemPrompt?: string;
  readonly bare: boolean;
  readonly trustProject: boolean;
}

export const DEFAULT_FLAGS: PromptFlags = {
  outputFormat: 'text',
  verbose: false,
  includePartialMessages: false,
  includeHookEvents: false,
  allowedTools: [],
  disallowedTools: [],
  addDir: [],
  continue: false,
  bare: false,
  trustProject: false,
};
