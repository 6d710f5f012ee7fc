import { bash, calls, fate } from '../lib/calls.mjs';
// bypassPermissions and an ask rule
export default {
  settings: (ctx) => ({ permissions: { ask: ['Bash(touch *)'], deny: ['Bash(mkdir *)'] }, hooks: fate(ctx) }),
  env: { IS_SANDBOX: '1' },
  args: ['--permission-mode', 'bypassPermissions'],
  keep: { noResults: true },
  model: calls(bash('touch one'), bash('mkdir two'), bash('true && touch three'), bash('echo four')),
};
