import { HOOKS_ONLY, hookedAgent, runsProgram } from '../hooksOnly.ts';
import type { Host } from '../host.ts';

export const opencode: Host = {
  ...HOOKS_ONLY,
  name: 'opencode',
  title: 'opencode',
  // its folder of settings is `opencode` in any place that XDG_CONFIG_HOME names
  agentVariables: ['OPENCODE', 'OPENCODE_PID'],
  settingsFiles: ['.opencode/plugin/', '.opencode/plugins/', 'opencode/plugin/', 'opencode/plugins/'],
  isProcess: runsProgram('opencode', 'opencode-ai'),
  // our own plugin says so
  recognizes: ({ plugin_host: host }) => host === 'opencode',
  wiring: {
    flag: 'opencode',
    home: '.config/opencode',
    abilities: {
      'veto a stop': { can: true, note: 'not after a permission that was rejected, which ends the turn' },
      'be told the time': { can: true, note: 'not after a tool that failed' },
      'report spend': { can: true, note: 'without its subagents' },
    },
    load: async () => (await import('./wiring.ts')).opencodeWiring,
  },
  agent: hookedAgent('opencode', async () => (await import('./agent.ts')).opencodeAgent),
};
