import { bash, calls, watch } from '../lib/calls.mjs';
export default {
  settings: (ctx) => ({ hooks: { ...watch(ctx, 'PostToolUse'), PreToolUse: [{ hooks: [{ type: 'command', command: ctx.hook('slow'), timeout: 1, onFailure: 'block' }] }] } }),
  args: ['--allowedTools', 'Bash'],
  keep: { noResults: true },
  replies: { slow: [{ sleep: 3 }] },
  model: calls(bash('echo a')),
};
