import { HOOKS_ONLY, hasFields } from '../hooksOnly.ts';
import type { Host } from '../host.ts';

export const gemini: Host = {
  ...HOOKS_ONLY,
  name: 'gemini',
  recognizes: (payload) => hasFields(payload, 'prompt_response') || String(payload.hook_event_name).startsWith('After'),
};
