import type { ToolResultBlock, ToolUseBlock } from '../../models/types.ts';
import { updatePermissions } from '../../permissions/updatePermissions.ts';
import type { PermissionUpdate } from '../../schemas/permissionAnswer.ts';
import type { Tool } from '../../tools/tool.ts';
import type { State } from '../state.ts';

/** The outcome of one call, for the model, for hooks and for the loop. */
export interface ToolCallEnd {
  readonly call: ToolUseBlock;
  readonly result: ToolResultBlock;
  /** Structured, as hooks see it. */
  readonly output?: unknown;
  readonly contexts: readonly string[];
  /** What changed around the model with this call; each is a text of its own. */
  readonly around?: readonly string[];
  /** Set when a hook ended the turn here. */
  readonly prevented: string | null;
  /** A denial that ends the turn, as an interrupt would. */
  readonly interrupts?: boolean;
  /** A hook deferred the call: it has no result, and the turn ends with it pending. */
  readonly deferred?: boolean;
  /** It was never started: denied, invalid, or too late. */
  readonly refused?: boolean;
  /** What a hook changed about permissions while it allowed the call. */
  readonly permissionUpdates?: readonly PermissionUpdate[];
}

export function failedEnd(call: ToolUseBlock, content: string): ToolCallEnd {
  const result = { type: 'tool_result', tool_use_id: call.id, tool_name: call.name, content, is_error: true } as const;
  return { call, result, output: `Error: ${content}`, contexts: [], prevented: null };
}

/** A call that was not started. */
export const refusedEnd = (call: ToolUseBlock, content: string): ToolCallEnd => ({
  ...failedEnd(call, content),
  refused: true,
});

/** A call that a hook deferred. Its result is never sent. */
export function deferredEnd(call: ToolUseBlock): ToolCallEnd {
  return { ...refusedEnd(call, 'Deferred by a hook.'), deferred: true };
}

/** The MCP server that a tool belongs to, for hooks. */
export const serverOf = ({ mcpServer }: Tool) => (mcpServer ? { mcp_server: mcpServer } : {});

/** What a hook changed about permissions when it allowed a call holds from then on, for the call's own hooks too. */
export function withPermissionUpdates(state: State, updates: readonly PermissionUpdate[] | undefined): State {
  if (updates === undefined || updates.length === 0) return state;
  const { toolUseContext } = state;
  const permissions = updatePermissions(toolUseContext.permissions, updates);
  return { ...state, toolUseContext: { ...toolUseContext, permissions } };
}
