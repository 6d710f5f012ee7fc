import type { ToolUseBlock } from '../../models/types.ts';
import { parseToolInput } from '../../tools/parseInput.ts';
import type { Tool } from '../../tools/tool.ts';

/** A call that can be run, or why it cannot; the model reads the reason and may mend its call. */
export type PreparedCall =
  | {
      readonly type: 'ready';
      readonly call: ToolUseBlock;
      readonly tool: Tool;
      readonly input: unknown;
      readonly parallel: boolean;
    }
  | { readonly type: 'refused'; readonly call: ToolUseBlock; readonly reason: string; readonly parallel: true };

export function prepareCall(call: ToolUseBlock, tools: readonly Tool[]): PreparedCall {
  const refuse = (reason: string): PreparedCall => ({ type: 'refused', call, reason, parallel: true });
  const tool = tools.find((candidate) => candidate.name === call.name);
  if (!tool) return refuse(`No such tool available: ${call.name}. Tools: ${tools.map(({ name }) => name).join(', ')}.`);
  if (call.inputError) return refuse(call.inputError);
  const parsed = parseToolInput(tool, call.input);
  if (parsed.type === 'invalid') return refuse(parsed.message);
  const parallel = tool.runsBesideOthers === true || tool.isReadOnly(parsed.input);
  return { type: 'ready', call, tool, input: parsed.input, parallel };
}
