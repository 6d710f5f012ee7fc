import { bash, calls, fate } from '../lib/calls.mjs';
export default {
  settings: (ctx) => ({ hooks: fate(ctx) }),
  userSettings: { permissions: { disableBypassPermissionsMode: 'disable' } },
  env: { IS_SANDBOX: '1' },
  args: ['--dangerously-skip-permissions'],
  keep: { noResults: true },
  model: calls(bash('touch a')),
};
