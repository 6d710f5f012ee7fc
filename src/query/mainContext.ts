import { homedir } from 'node:os';
import type { Model } from '../models/types.ts';
import type { PermissionMode, PermissionRules } from '../permissions/types.ts';
import { systemIds } from '../system/ids.ts';
import { allTools } from '../tools/allTools.ts';
import type { Tool } from '../tools/tool.ts';
import { type ToolServices, toolServices } from '../tools/toolServices.ts';
import type { ToolUseContext } from './toolUseContext.ts';

export interface MainContextOptions {
  readonly model: Model;
  readonly projectDir: string;
  readonly tools?: readonly Tool[];
  readonly mode?: PermissionMode;
  readonly rules?: Partial<PermissionRules>;
  readonly signal?: AbortSignal;
  /** The environment of the commands a model runs; only PATH and HOME by default. */
  readonly env?: Readonly<Record<string, string>>;
  readonly services?: ToolServices;
}

/** The context of a main turn with everything that has a sensible default: for library users and tests. */
export function mainContext(options: MainContextOptions): ToolUseContext {
  const { model, projectDir, tools = allTools(), mode = 'default', rules } = options;
  const env = options.env ?? { PATH: process.env.PATH ?? '', HOME: homedir() };
  return {
    model,
    tools,
    permissions: {
      mode,
      rules: { allow: [], ask: [], deny: [], ...rules },
      additionalDirectories: [],
      homeDir: env.HOME ?? homedir(),
    },
    signal: options.signal ?? new AbortController().signal,
    session: { id: systemIds.uuid(), transcriptPath: '' },
    queryTracking: { chainId: systemIds.uuid(), depth: 0 },
    toolServices: options.services ?? toolServices({ projectDir, env }),
  };
}
