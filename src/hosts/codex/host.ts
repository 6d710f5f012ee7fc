import { HOOKS_ONLY, hasFields, hookedAgent, runsProgram } from '../hooksOnly.ts';
import type { Host } from '../host.ts';
import { codexToolCall } from './toolCall.ts';

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
