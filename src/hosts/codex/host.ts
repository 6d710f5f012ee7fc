import { isObject } from '../../schemas/jsonValue.ts';
import type { ToolCall } from '../../stop/landing/askedTime.ts';
import type { Payload } from '../../stop/payload.ts';
import { ownValue } from '../../system/ownValue.ts';
import { HOOKS_ONLY, hasFields, hookedAgent, runsProgram } from '../hooksOnly.ts';
import type { Host } from '../host.ts';
import { patchPaths } from '../patchPaths.ts';

export const codex: Host = {
  ...HOOKS_ONLY,
  name: 'codex',
  title: 'Codex',
  agentVariables: [
    'CODEX_SESSION_ID',
    'CODEX_THREAD_ID',
    'CODEX_TOOL_CALL_ID',
    'CODEX_SANDBOX',
    'CODEX_SANDBOX_NETWORK_DISABLED',
  ],
  settingsFiles: ['.codex/hooks.json', '.codex/config.toml'],
  isProcess: runsProgram('codex', '@openai/codex'),
  // a session's start and end have no turn, but its transcript is named like no other's
  recognizes: (payload) =>
    hasFields(payload, 'turn_id', 'model') || /\/rollout-[^/]+\.jsonl$/.test(String(payload.transcript_path)),
  toolCall: codexToolCall,
  wiring: {
    flag: 'codex',
    home: '.codex',
    abilities: {
      'be told the time': { can: true, note: 'not while a command runs for longer than 10 seconds' },
    },
    load: async () => (await import('./wiring.ts')).codexWiring,
  },
  agent: hookedAgent('codex', async () => (await import('./agent.ts')).codexAgent),
};

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
