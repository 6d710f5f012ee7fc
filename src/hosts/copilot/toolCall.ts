import { isObject, type JsonObject, jsonValue } from '../../schemas/jsonValue.ts';
import type { ToolCall } from '../../stop/landing/askedTime.ts';
import type { Payload } from '../../stop/payload.ts';
import { ownValue } from '../../system/ownValue.ts';
import { patchPaths } from '../patchPaths.ts';

/** In events spelled like Claude Code's most tools are named like there already. */
const TOOLS: Readonly<Record<string, string>> = {
  bash: 'Bash',
  read_bash: 'BashOutput',
  list_bash: 'BashOutput',
  stop_bash: 'KillBash',
  view: 'Read',
  create: 'Write',
  edit: 'Edit',
  apply_patch: 'Edit',
  grep: 'Grep',
  glob: 'Glob',
  report_intent: 'TodoWrite',
  update_todo: 'TodoWrite',
};

/** Its files are in `path`, or in a patch. */
export function copilotToolCall(payload: Payload): ToolCall | null {
  const name = payload.tool_name ?? payload.toolName;
  if (typeof name !== 'string') return null;
  const input = inputOf(payload.tool_input ?? payload.toolArgs);
  const files = typeof input.input === 'string' ? patchPaths(input.input) : [];
  const tool = ownValue(TOOLS, name) ?? name;
  if (files.length > 0) return { tool, input: { file_paths: files } };
  return { tool, input: typeof input.path === 'string' ? { ...input, file_path: input.path } : input };
}

/** An object; in events spelled in camel case it may be a text. */
function inputOf(value: unknown): JsonObject {
  const read = typeof value === 'string' ? jsonValue(value) : value;
  return isObject(read) ? read : {};
}
