import { bash, calls, watch } from '../lib/calls.mjs';
export default {
  settings: (ctx) => ({ hooks: watch(ctx, 'PreToolUse', 'PostToolUse', 'PostToolBatch') }),
  args: ['--allowedTools', 'Bash'],
  replies: { PreToolUse: [{ out: { systemMessage: 'shown', hookSpecificOutput: { hookEventName: 'PreToolUse', permissionDecision: 'deny', permissionDecisionReason: 'no', additionalContext: 'look elsewhere' } } }] },
  model: calls(bash('echo a')),
};
