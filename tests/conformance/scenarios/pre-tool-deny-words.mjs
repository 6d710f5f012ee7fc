import { bash, calls, watch } from '../lib/calls.mjs';
// what the model hears of a denial in each form
export default {
  settings: (ctx) => ({ hooks: watch(ctx, 'PreToolUse') }),
  args: ['--allowedTools', 'Bash'],
  replies: { PreToolUse: [{ out: { hookSpecificOutput: { hookEventName: 'PreToolUse', permissionDecision: 'deny' } } }, { out: { hookSpecificOutput: { hookEventName: 'PreToolUse', permissionDecision: 'deny', permissionDecisionReason: '' } } }, { out: { decision: 'block' } }, { code: 2 }, { code: 2, err: '  spaced \n\n' }, { out: { hookSpecificOutput: { hookEventName: 'PreToolUse', permissionDecision: 'deny', permissionDecisionReason: 'line one\nline two' } } }, { out: { reason: 'top', hookSpecificOutput: { hookEventName: 'PreToolUse', permissionDecision: 'deny' } } }] },
  model: calls(bash('echo a'), bash('echo b'), bash('echo c'), bash('echo d'), bash('echo e'), bash('echo f'), bash('echo g')),
};
