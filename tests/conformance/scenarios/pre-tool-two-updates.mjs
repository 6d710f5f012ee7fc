import { bash, calls, watch } from '../lib/calls.mjs';
// one hook rewrites, another denies or asks
export default {
  settings: (ctx) => ({ hooks: { ...watch(ctx, 'PostToolUse', 'PermissionRequest'), PreToolUse: [{ hooks: [{ type: 'command', command: ctx.hook('rewrite') }, { type: 'command', command: ctx.hook('judge') }] }] } }),
  args: ['--allowedTools', 'Bash'],
  keep: { noResults: true },
  replies: { rewrite: [{ out: { hookSpecificOutput: { hookEventName: 'PreToolUse', permissionDecision: 'allow', updatedInput: { command: 'echo rewritten', description: 'x' } } } }], judge: [{ out: { hookSpecificOutput: { hookEventName: 'PreToolUse', permissionDecision: 'deny', permissionDecisionReason: 'no' } } }, { out: { hookSpecificOutput: { hookEventName: 'PreToolUse', permissionDecision: 'ask', permissionDecisionReason: 'sure?' } } }, { out: { hookSpecificOutput: { hookEventName: 'PreToolUse', permissionDecision: 'defer' } } }] },
  model: calls(bash('echo a'), bash('echo b'), [bash('echo c'), bash('echo d')]),
};
