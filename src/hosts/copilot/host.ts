import { HOOKS_ONLY, hasFields, hookedAgent, runsProgram } from '../hooksOnly.ts';
import type { Host } from '../host.ts';
import { speakContextAtTop } from '../speech.ts';
import { standsAside } from './standsAside.ts';
import { copilotToolCall } from './toolCall.ts';

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
  standsAside,
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
