import { HOOKS_ONLY, hookedAgent } from '../hooksOnly.ts';
import type { Host } from '../host.ts';
import { speakWithNotes } from '../speech.ts';

/** STOPGATE_HOME may be any folder; its transcripts are always in `projects`. */
const isOwn = (transcript: string, home: string | undefined) =>
  transcript.includes('/.stopgate/') || (!!home && transcript.startsWith(`${home.replace(/\/+$/, '')}/projects/`));

/** Our own agent: its gates run in process, but hooks in its settings may call `stopgate hook` as well. */
export const stopgate: Host = {
  ...HOOKS_ONLY,
  name: 'stopgate',
  title: "Stopgate's agent",
  recognizes: ({ transcript_path: at }, home) => typeof at === 'string' && isOwn(at, home),
  speak: speakWithNotes,
  agent: hookedAgent('stopgate', async () => (await import('./agent.ts')).stopgateAgent),
};
