import { HOOKS_ONLY, hasFields, runsProgram } from '../hooksOnly.ts';
import type { Host } from '../host.ts';

export const codex: Host = {
  ...HOOKS_ONLY,
  name: 'codex',
  settingsFiles: ['.codex/hooks.json', '.codex/config.toml'],
  isProcess: runsProgram('codex', '@openai/codex'),
  recognizes: (payload) => hasFields(payload, 'turn_id', 'model'),
};
