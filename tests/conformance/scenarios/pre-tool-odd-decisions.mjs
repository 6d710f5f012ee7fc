import { bash, calls, fate, watch } from '../lib/calls.mjs';
// answers that are not in the protocol, with and without a rule that allows the call
export default {
  settings: (ctx) => ({ permissions: { allow: [] }, hooks: { ...fate(ctx), ...watch(ctx, 'PreToolUse') } }),
  args: ['--allowedTools', 'Bash(touch allowed*)'],
  keep: { noResults: true },
  replies: { PreToolUse: [{ out: { hookSpecificOutput: { hookEventName: 'PreToolUse', permissionDecision: 'maybe' } } }, { out: { hookSpecificOutput: { permissionDecision: 'deny', permissionDecisionReason: 'no event name' } } }, { out: { permissionDecision: 'deny', permissionDecisionReason: 'wrong level' } }, { out: { hookSpecificOutput: { hookEventName: 'PreToolUse', permissionDecision: 'DENY' } } }, { out: { hookSpecificOutput: { hookEventName: 'PostToolUse', permissionDecision: 'deny' } } }, { out: { decision: 'deny', reason: 'old word' } }, { out: 'deny' }, { out: '{"decision":"block","reason":"cut"' }] },
  model: calls(...'abcdefgh'.split('').map((x) => bash(`touch allowed-${x}`))),
};
