import { bash, calls, fate, trusted } from '../lib/calls.mjs';
// bypassPermissions in the project's local settings
export default {
  settings: (ctx) => (trusted(ctx), { hooks: fate(ctx) }),
  localSettings: { permissions: { defaultMode: 'bypassPermissions' } },
  env: { IS_SANDBOX: '1' },
  keep: { noResults: true },
  model: calls(bash('touch a')),
};
