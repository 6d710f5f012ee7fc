import type { ToolUseBlock } from '../models/types.ts';
import type { Tool } from '../tools/tool.ts';

/** A call as the conversation keeps it: with the defaults that its tool wants to be seen there. An invalid one stays as it is. */
export function keptCall(call: ToolUseBlock, tools: readonly Tool[]): ToolUseBlock {
  const tool = tools.find(({ name }) => name === call.name);
  if (tool?.keptInput === undefined) return call;
  const parsed = tool.inputSchema.safeParse(call.input);
  return parsed.success ? { ...call, input: tool.keptInput(parsed.data) } : call;
}
