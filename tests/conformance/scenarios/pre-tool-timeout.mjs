import { bash, calls, watch } from '../lib/calls.mjs';
// a gate that takes too long
export default {
  settings: (ctx) => ({ hooks: { ...watch(ctx, 'PostToolUse'), PreToolUse: [{ hooks: [{ type: 'command', command: ctx.hook('slow'), timeout: 1 }] }] } }),
  args: ['--allowedTools', 'Bash'],
  replies: { slow: [{ code: 2, err: 'too late', sleep: 3 }] },
  model: calls(bash('echo a')),
};
