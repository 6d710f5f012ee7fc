import { isObject, type JsonObject, jsonValue } from '../../schemas/jsonValue.ts';
import type { ToolCall } from '../../stop/landing/askedTime.ts';
import type { Payload } from '../../stop/payload.ts';
import { ownValue } from '../../system/ownValue.ts';
import { HOOKS_ONLY, hasFields, hookedAgent, runsProgram } from '../hooksOnly.ts';
import type { Host } from '../host.ts';
import { patchPaths } from '../patchPaths.ts';
import { speakContextAtTop } from '../speech.ts';

export const copilot: Host = {
  ...HOOKS_ONLY,
  name: 'copilot',
  title: 'Copilot CLI',
  agentVariables: ['COPILOT_CLI', 'COPILOT_AGENT_SESSION_ID'],
  settingsFiles: [
    ...['.github/hooks/', '.copilot/hooks/'],
    // they can switch hooks off
    ...['.copilot/settings.json', '.copilot/config.json'],
    ...['.github/copilot/settings.json', '.github/copilot/settings.local.json'],
  ],
  isProcess: runsProgram('copilot', '@github/copilot'),
  // only its stop has a transcript; events spelled in camel case have other fields
  recognizes: (payload) =>
    hasFields(payload, 'timestamp') &&
    (hasFields(payload, 'stop_reason') || hasFields(payload, 'sessionId') || !hasFields(payload, 'transcript_path')),
  speak: speakContextAtTop,
  toolCall: copilotToolCall,
  standsAside: async (event, asking) => (await import('./standsAside.ts')).standsAside(event, asking),
  wiring: {
    flag: 'copilot',
    home: '.copilot',
    abilities: {
      'block without a cap': {
        can: false,
        note: '8 per prompt, tool calls or not; a launch then goes on in its session, a worker in a new one',
      },
      'report spend': { can: true, note: '1.0.92 only at its end, so limits do not end it' },
    },
    load: async () => (await import('./wiring.ts')).copilotWiring,
  },
  agent: hookedAgent('copilot', async () => (await import('./agent.ts')).copilotAgent),
};

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
