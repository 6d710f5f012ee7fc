import { demandByStart } from '../demand.ts';
import type { Host } from '../host.ts';
import { speakWithNotes } from '../speech.ts';

/** STOPGATE_HOME may be any folder; the transcripts in it are always in the same one. */
const isOwn = (transcript: string, home: string | undefined) =>
  transcript.includes('/.stopgate/') || (!!home && transcript.startsWith(`${home.replace(/\/+$/, '')}/projects/`));

/** Our own agent: its gates run in process, and settings hooks of its own may call `stopgate hook` all the same. */
export const stopgate: Host = {
  name: 'stopgate',
  recognizes: ({ transcript_path: at }, home) => typeof at === 'string' && isOwn(at, home),
  speak: speakWithNotes,
  demand: demandByStart,
  agent: {
    flag: 'stopgate',
    runsHooks: true,
    needsPrompt: true,
    load: async () => (await import('./agent.ts')).stopgateAgent,
  },
};
