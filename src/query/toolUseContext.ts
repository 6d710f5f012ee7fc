import type { HookSubject } from '../hooks/types.ts';
import type { Model } from '../models/types.ts';
import type { UpdatablePermissions } from '../permissions/updatePermissions.ts';
import type { Tool } from '../tools/tool.ts';
import type { ToolServices } from '../tools/toolServices.ts';

/** An agent of a team: its identity to the others. */
export interface Teammate {
  readonly team: string;
  readonly name: string;
}

interface QueryTracking {
  /** One id for a turn and all it starts. */
  readonly chainId: string;
  /** 0 for the main turn, 1 for its subagents. */
  readonly depth: number;
}

export interface PermissionContext extends UpdatablePermissions {
  readonly homeDir: string;
  /** See `PermissionFacts`. */
  readonly gateFiles?: readonly string[];
}

/** What an agent can do and as whom: handed from the session to the turn, and narrowed for subagents. */
export interface ToolUseContext {
  readonly model: Model;
  readonly tools: readonly Tool[];
  readonly permissions: PermissionContext;
  readonly signal: AbortSignal;
  /** The model's effort, for hooks. */
  readonly effort?: string;
  readonly session: { readonly id: string; readonly transcriptPath: string; readonly promptId?: string };
  readonly queryTracking: QueryTracking;
  readonly agentId?: string;
  readonly agentType?: string;
  readonly agentTranscriptPath?: string;
  /** Set for an agent of a team. */
  readonly teammate?: Teammate;
  /** What tools may touch; the turn adds what belongs to one call. */
  readonly toolServices: ToolServices;
}

export function hookSubject(context: ToolUseContext): HookSubject {
  const { session, toolServices, permissions, agentId, agentType, effort } = context;
  return {
    sessionId: session.id,
    transcriptPath: session.transcriptPath,
    cwd: toolServices.directory.current(),
    permissionMode: permissions.mode,
    ...(effort ? { effort } : {}),
    ...(session.promptId ? { promptId: session.promptId } : {}),
    ...(agentId ? { agentId } : {}),
    ...(agentType ? { agentType } : {}),
  };
}

/** What the permission rules are asked with, whatever the call. */
export function permissionFacts({ permissions, toolServices }: ToolUseContext) {
  const { additionalDirectories, ...rest } = permissions;
  const { projectDir } = toolServices.directory;
  return { ...rest, projectDir, directories: [projectDir, ...additionalDirectories] };
}
