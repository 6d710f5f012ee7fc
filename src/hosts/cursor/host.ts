import { HOOKS_ONLY, hasFields } from '../hooksOnly.ts';
import type { Host } from '../host.ts';

export const cursor: Host = {
  ...HOOKS_ONLY,
  name: 'cursor',
  recognizes: (payload) => hasFields(payload, 'cursor_version'),
};
