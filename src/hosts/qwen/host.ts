import { HOOKS_ONLY, hasFields } from '../hooksOnly.ts';
import type { Host } from '../host.ts';

export const qwen: Host = {
  ...HOOKS_ONLY,
  name: 'qwen',
  recognizes: (payload) => hasFields(payload, 'crons') || hasFields(payload, 'context_usage'),
};
