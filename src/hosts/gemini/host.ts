import { HOOKS_ONLY, hasFields, hookedAgent, runsProgram } from '../hooksOnly.ts';
import type { Host } from '../host.ts';
import { renamedTools } from '../renamedTools.ts';
import { speakDenyAtTop } from '../speech.ts';
import { transcriptBytes, wroteTranscript } from '../transcripts.ts';

/** Of 0.61.0. */
const TOOLS = {
  search_file_content: 'Grep',
  replace: 'Edit',
  write_todos: 'TodoWrite',
} as const;

export const gemini: Host = {
  ...HOOKS_ONLY,
  name: 'gemini',
  title: 'Gemini CLI',
  agentVariables: ['GEMINI_CLI'],
  settingsFiles: ['.gemini/settings.json', '.gemini/trustedFolders.json'],
  environmentFiles: ['.env', '.gemini/.env'],
  isProcess: runsProgram('gemini', '@google/gemini-cli'),
  recognizes: (payload) =>
    hasFields(payload, 'prompt_response') ||
    /^(?:Before|After)[A-Z]/.test(String(payload.hook_event_name)) ||
    wroteTranscript(payload, '.gemini'),
  speak: speakDenyAtTop,
  toolCall: renamedTools(TOOLS),
  // a block after its loop detection, or at the end of its turn budget, calls the hook again without a request
  turnMark: transcriptBytes,
  wiring: {
    flag: 'gemini',
    home: '.gemini',
    abilities: {
      'be told the time': { can: true, note: 'not after a tool call with an error as its result' },
      'block without a cap': { can: true, note: 'with its loop detection off, which init and launch set' },
      'report spend': { can: true, note: 'at its end; before that, output tokens are estimated' },
    },
    load: async () => (await import('./wiring.ts')).geminiWiring,
  },
  agent: hookedAgent('gemini', async () => (await import('./agent.ts')).geminiAgent),
};
