import { hasFields, hookedAgent, runsProgram } from '../hooksOnly.ts';
import type { Host } from '../host.ts';
import { speakWithNotes } from '../speech.ts';

const runsClaude = runsProgram('claude', '@anthropic-ai/claude-code');
const runsSdk = runsProgram('claude', '@anthropic-ai/claude-agent-sdk');

export const claudeCode: Host = {
  name: 'claudeCode',
  title: 'Claude Code',
  agentVariables: ['CLAUDECODE', 'CLAUDE_CODE_SESSION_ID'],
  settingsFiles: ['.claude/settings.json', '.claude/settings.local.json'],
  isProcess: (words) => runsClaude(words) || runsSdk(words) || /\/claude\/versions\/[^/]+$/.test(words[0] ?? ''),
  recognizes: (payload) =>
    hasFields(payload, 'prompt_id') ||
    hasFields(payload, 'session_crons') ||
    hasFields(payload, 'hook_event_name', 'session_id'),
  speak: speakWithNotes,
  demand: async (payload, world) => (await import('./demand.ts')).demandOfClaude(payload, world),
  wiring: {
    flag: 'claude',
    home: '.claude',
    abilities: {
      'block without a cap': { can: false, note: '8 in a row without a tool call; launch raises it' },
    },
    load: async () => (await import('./wiring.ts')).claudeWiring,
  },
  agent: hookedAgent('claude', async () => (await import('./agent.ts')).claudeAgent),
};
