import { isObject } from '../../schemas/jsonValue.ts';
import type { ToolCall } from '../../stop/landing/askedTime.ts';
import type { Payload } from '../../stop/payload.ts';
import { ownValue } from '../../system/ownValue.ts';
import { patchPaths } from '../patchPaths.ts';

/** Its shell is `Bash` to hooks already. What is not here is a tool that may do anything. */
const TOOLS: Readonly<Record<string, string>> = {
  exec_command: 'Bash',
  shell: 'Bash',
  local_shell: 'Bash',
  apply_patch: 'Edit',
  // what is sent to a process that runs already; usually nothing, to read its output
  write_stdin: 'BashOutput',
  read_file: 'Read',
  view_image: 'Read',
  list_dir: 'LS',
  grep_files: 'Grep',
  update_plan: 'TodoWrite',
};

/** A patch comes as the `command` of its own tool, or as the input of a command of the shell. */
export function codexToolCall({ tool_name: name, tool_input: value }: Payload): ToolCall | null {
  if (typeof name !== 'string') return null;
  const tool = ownValue(TOOLS, name) ?? name;
  const input = isObject(value) ? value : {};
  const text = [input.command, input.input].find((one) => typeof one === 'string') ?? '';
  const files = patchPaths(text as string);
  if (files.length === 0) return { tool, input };
  return tool === 'Bash' ? { tool, input: { ...input, file_paths: files } } : { tool, input: { file_paths: files } };
}
