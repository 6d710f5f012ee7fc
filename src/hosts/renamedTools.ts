import type { ToolCall } from '../stop/landing/askedTime.ts';
import type { Payload } from '../stop/payload.ts';
import { ownValue } from '../system/ownValue.ts';

/** The tool call of an event whose fields are named like Claude Code's, and whose tools are not. */
export const renamedTools =
  (names: Readonly<Record<string, string>>) =>
  ({ tool_name: tool, tool_input: input }: Payload): ToolCall | null => {
    if (typeof tool !== 'string') return null;
    const isObject = typeof input === 'object' && input !== null;
    return { tool: ownValue(names, tool) ?? tool, input: isObject ? (input as Payload) : {} };
  };
