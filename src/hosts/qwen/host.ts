import { HOOKS_ONLY, hasFields, runsProgram } from '../hooksOnly.ts';
import type { Host } from '../host.ts';

export const qwen: Host = {
  ...HOOKS_ONLY,
  name: 'qwen',
  settingsFiles: ['.qwen/settings.json'],
  isProcess: runsProgram('qwen', '@qwen-code/qwen-code'),
  recognizes: (payload) => hasFields(payload, 'crons') || hasFields(payload, 'context_usage'),
};
