import { hasFields, runsProgram } from '../hooksOnly.ts';
import type { Host } from '../host.ts';
import { speakWithNotes } from '../speech.ts';

export const claudeCode: Host = {
  name: 'claudeCode',
  isProcess: runsProgram('claude', '@anthropic-ai/claude-code'),
  recognizes: (payload) =>
    hasFields(payload, 'prompt_id') ||
    hasFields(payload, 'session_crons') ||
    hasFields(payload, 'hook_event_name', 'session_id'),
  speak: speakWithNotes,
  demand: async (payload, world) => (await import('./demand.ts')).demandOfClaude(payload, world),
  agent: {
    flag: 'claude',
    runsHooks: true,
    needsPrompt: true,
    load: async () => (await import('./agent.ts')).claudeAgent,
  },
};
