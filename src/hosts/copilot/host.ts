import { HOOKS_ONLY, hasFields, runsProgram } from '../hooksOnly.ts';
import type { Host } from '../host.ts';
import { speakContextAtTop } from '../speech.ts';

export const copilot: Host = {
  ...HOOKS_ONLY,
  name: 'copilot',
  settingsFiles: ['.github/hooks/', '.copilot/hooks/', '.copilot/settings.json'],
  isProcess: runsProgram('copilot', '@github/copilot'),
  recognizes: (payload) =>
    hasFields(payload, 'timestamp') && (hasFields(payload, 'stop_reason') || hasFields(payload, 'sessionId')),
  speak: speakContextAtTop,
};
