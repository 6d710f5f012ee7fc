import { bash, calls, watch } from '../lib/calls.mjs';
export default {
  settings: (ctx) => ({ hooks: { ...watch(ctx, 'PostToolUse'), PreToolUse: [{ hooks: [{ type: 'command', command: '/nonexistent/gate', onFailure: 'block' }] }] } }),
  args: ['--allowedTools', 'Bash'],
  keep: { noResults: true },
  model: calls(bash('echo a')),
};
