import { bash, calls, fate, watch, write } from '../lib/calls.mjs';
// a hook's allow does not open what a rule denies or asks about, nor a guarded file
export default {
  settings: (ctx) => ({ permissions: { deny: ['Bash(touch denied*)'], ask: ['Bash(touch asked*)'] }, hooks: { ...fate(ctx), ...watch(ctx, 'PreToolUse') } }),
  keep: { noResults: true },
  replies: { PreToolUse: [{ out: { hookSpecificOutput: { hookEventName: 'PreToolUse', permissionDecision: 'allow', permissionDecisionReason: 'fine by me' } } }] },
  model: calls(bash('touch denied'), bash('touch asked'), bash('touch other'), write('.claude/settings.json', '{}'), write('../outside.txt'), bash('rm -rf /nonexistent-oracle'), write('.git/hooks/x')),
};
