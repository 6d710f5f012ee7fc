import type { ToolCall } from '../stop/landing/askedTime.ts';
import type { Payload } from '../stop/payload.ts';
import { ownValue } from '../system/ownValue.ts';

/** What Gemini CLI calls its tools, and Qwen Code, which was made from it. */
const GEMINI_TOOLS: Readonly<Record<string, string>> = {
  run_shell_command: 'Bash',
  read_file: 'Read',
  read_many_files: 'Read',
  list_directory: 'LS',
  glob: 'Glob',
  grep_search: 'Grep',
  write_file: 'Write',
  exit_plan_mode: 'ExitPlanMode',
};

/** The tool call of an event whose fields are named like Claude Code's, and whose tools are not. */
export const renamedTools =
  (names: Readonly<Record<string, string>>) =>
  ({ tool_name: tool, tool_input: input }: Payload): ToolCall | null => {
    if (typeof tool !== 'string') return null;
    const isObject = typeof input === 'object' && input !== null;
    return {
      tool: ownValue(names, tool) ?? ownValue(GEMINI_TOOLS, tool) ?? tool,
      input: isObject ? (input as Payload) : {},
    };
  };
