import { HOOKS_ONLY, hasFields, runsProgram } from '../hooksOnly.ts';
import type { Host } from '../host.ts';

export const gemini: Host = {
  ...HOOKS_ONLY,
  name: 'gemini',
  settingsFiles: ['.gemini/settings.json'],
  isProcess: runsProgram('gemini', '@google/gemini-cli'),
  recognizes: (payload) => hasFields(payload, 'prompt_response') || String(payload.hook_event_name).startsWith('After'),
};
