import { demandByStart } from '../demand.ts';
import type { Host, StartableAgent } from '../host.ts';
import { speakPortably } from '../speech.ts';

/** Any command line, and any host that no other row recognizes. */
export const command: Host & { readonly agent: StartableAgent } = {
  name: 'unknown',
  recognizes: () => true,
  speak: speakPortably,
  demand: demandByStart,
  agent: {
    flag: '',
    runsHooks: false,
    // a user's own command may need no arguments
    needsPrompt: false,
    load: async () => (await import('./agent.ts')).commandAgent,
  },
};
