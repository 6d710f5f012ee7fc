import type { ToolResultBlock, ToolUseBlock } from '../models/types.ts';

/** What one call came to, for the model, for hooks and for the loop. */
export interface ToolCallEnd {
  readonly call: ToolUseBlock;
  readonly result: ToolResultBlock;
  /** Structured, as hooks see it. */
  readonly output?: unknown;
  readonly contexts: readonly string[];
  /** Set when a hook ended the turn here. */
  readonly prevented: string | null;
}

export function failedEnd(call: ToolUseBlock, content: string): ToolCallEnd {
  const result = { type: 'tool_result', tool_use_id: call.id, tool_name: call.name, content, is_error: true } as const;
  return { call, result, output: `Error: ${content}`, contexts: [], prevented: null };
}
