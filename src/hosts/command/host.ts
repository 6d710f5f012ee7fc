import { demandByStart } from '../demand.ts';
import type { Host, StartableAgent } from '../host.ts';
import { speakPortably } from '../speech.ts';

/** Any command line, and any caller that no row recognizes. */
export const command: Host & { readonly agent: StartableAgent } = {
  name: 'unknown',
  recognizes: () => true,
  speak: speakPortably,
  demand: demandByStart,
  agent: {
    flag: '',
    runsHooks: false,
    // a command of the user's own may need no words
    needsPrompt: false,
    load: async () => (await import('./agent.ts')).commandAgent,
  },
};
