import { HOOKS_ONLY, hasFields } from '../hooksOnly.ts';
import type { Host } from '../host.ts';

export const codex: Host = {
  ...HOOKS_ONLY,
  name: 'codex',
  recognizes: (payload) => hasFields(payload, 'turn_id', 'model'),
};
