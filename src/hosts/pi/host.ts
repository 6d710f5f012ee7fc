import { HOOKS_ONLY, hookedAgent, runsProgram } from '../hooksOnly.ts';
import type { Host } from '../host.ts';

export const pi: Host = {
  ...HOOKS_ONLY,
  name: 'pi',
  title: 'pi',
  agentVariables: ['PI_CODING_AGENT', 'PI_SESSION_ID'],
  settingsFiles: [
    ...['.pi/extensions/', '.pi/agent/extensions/'],
    // they can leave extensions out
    ...['.pi/settings.json', '.pi/agent/settings.json', '.pi/agent/trust.json'],
  ],
  isProcess: runsProgram('pi', 'pi-coding-agent'),
  // our own extension says so
  recognizes: ({ plugin_host: host }) => host === 'pi',
  wiring: {
    flag: 'pi',
    home: '.pi',
    abilities: {
      'wait in a hook': { can: true, note: 'before 0.87 it does nothing else meanwhile, so Escape waits too' },
    },
    load: async () => (await import('./wiring.ts')).piWiring,
  },
  agent: hookedAgent('pi', async () => (await import('./agent.ts')).piAgent),
};
