import { bash, calls, fate, watch } from '../lib/calls.mjs';
// an updatedInput that the tool cannot read
export default {
  settings: (ctx) => ({ hooks: { ...fate(ctx), ...watch(ctx, 'PreToolUse') } }),
  args: ['--allowedTools', 'Bash'],
  keep: { noResults: true },
  replies: { PreToolUse: [{ out: { hookSpecificOutput: { hookEventName: 'PreToolUse', permissionDecision: 'allow', updatedInput: { cmd: 'echo changed' } } } }, { out: { hookSpecificOutput: { hookEventName: 'PreToolUse', permissionDecision: 'allow', updatedInput: 'echo text' } } }, { out: { hookSpecificOutput: { hookEventName: 'PreToolUse', permissionDecision: 'allow', updatedInput: {} } } }, { out: { hookSpecificOutput: { hookEventName: 'PreToolUse', permissionDecision: 'deny', permissionDecisionReason: 'no', updatedInput: { command: 'echo never', description: 'x' } } } }] },
  model: calls(bash('echo a'), bash('echo b'), bash('echo c'), bash('echo d')),
};
