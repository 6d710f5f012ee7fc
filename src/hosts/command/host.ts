import { HOOKS_ONLY } from '../hooksOnly.ts';
import type { Host, StartableAgent } from '../host.ts';

/** Any command line, and any host that no other row recognizes. */
export const command: Host & { readonly agent: StartableAgent } = {
  ...HOOKS_ONLY,
  name: 'unknown',
  title: 'an unknown agent',
  recognizes: () => true,
  agent: {
    flag: '',
    runsHooks: false,
    // a user's own command may need no arguments
    needsPrompt: false,
    load: async () => (await import('./agent.ts')).commandAgent,
  },
};
