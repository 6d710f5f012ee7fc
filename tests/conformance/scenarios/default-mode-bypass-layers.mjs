import { bash, calls, fate } from '../lib/calls.mjs';
// a person's own settings may give bypassPermissions
export default {
  userSettings: { permissions: { defaultMode: 'bypassPermissions' } },
  settings: (ctx) => ({ hooks: fate(ctx) }),
  env: { IS_SANDBOX: '1' },
  keep: { noResults: true },
  model: calls(bash('touch a')),
};
