import { HOOKS_ONLY, hasFields, runsProgram } from '../hooksOnly.ts';
import type { Host } from '../host.ts';

export const codex: Host = {
  ...HOOKS_ONLY,
  name: 'codex',
  isProcess: runsProgram('codex', '@openai/codex'),
  recognizes: (payload) => hasFields(payload, 'turn_id', 'model'),
};
