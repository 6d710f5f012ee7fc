import type { ToolResultBlock, ToolUseBlock } from '../../models/types.ts';
import type { PermissionUpdate } from '../../schemas/permissionAnswer.ts';

/** What one call came to, for the model, for hooks and for the loop. */
export interface ToolCallEnd {
  readonly call: ToolUseBlock;
  readonly result: ToolResultBlock;
  /** Structured, as hooks see it. */
  readonly output?: unknown;
  readonly contexts: readonly string[];
  /** Set when a hook ended the turn here. */
  readonly prevented: string | null;
  /** A denial that breaks the turn off, as an interrupt would. */
  readonly interrupts?: boolean;
  /** A hook put the call off: it has no result, and the turn ends with it pending. */
  readonly deferred?: boolean;
  /** What a hook changed about permissions while it allowed the call. */
  readonly permissionUpdates?: readonly PermissionUpdate[];
}

export function failedEnd(call: ToolUseBlock, content: string): ToolCallEnd {
  const result = { type: 'tool_result', tool_use_id: call.id, tool_name: call.name, content, is_error: true } as const;
  return { call, result, output: `Error: ${content}`, contexts: [], prevented: null };
}

/** A call that a hook put off. Its result is never sent: the turn ends with the call pending. */
export function deferredEnd(call: ToolUseBlock): ToolCallEnd {
  return { ...failedEnd(call, 'Deferred by a hook.'), deferred: true };
}
