import { HOOKS_ONLY, hasFields, hookedAgent, runsProgram } from '../hooksOnly.ts';
import type { Host } from '../host.ts';
import { renamedTools } from '../renamedTools.ts';
import { wroteTranscript } from '../transcripts.ts';

/** Of 0.24.4. */
const TOOLS = {
  edit: 'Edit',
  notebook_edit: 'NotebookEdit',
  todo_write: 'TodoWrite',
  task_stop: 'TaskStop',
} as const;

export const qwen: Host = {
  ...HOOKS_ONLY,
  name: 'qwen',
  title: 'Qwen Code',
  agentVariables: ['QWEN_CODE', 'QWEN_CODE_SESSION_ID'],
  settingsFiles: ['.qwen/settings.json', '.qwen/trustedFolders.json'],
  environmentFiles: ['.env', '.qwen/.env'],
  isProcess: runsProgram('qwen', '@qwen-code/qwen-code'),
  recognizes: (payload) =>
    hasFields(payload, 'crons') || hasFields(payload, 'context_usage') || wroteTranscript(payload, '.qwen'),
  toolCall: renamedTools(TOOLS),
  wiring: {
    flag: 'qwen',
    home: '.qwen',
    abilities: {
      'wait in a hook': {
        can: true,
        note: 'for 45s at a time: a hook of more than 60s would end the run, so longer checks and waits take several stops',
      },
      'block without a cap': {
        can: true,
        note: 'up to 100, which init and launch set; tool calls do not reset the count',
      },
    },
    load: async () => (await import('./wiring.ts')).qwenWiring,
  },
  agent: hookedAgent('qwen', async () => (await import('./agent.ts')).qwenAgent),
};
