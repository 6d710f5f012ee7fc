import { bash, calls, fate, watch } from '../lib/calls.mjs';
// updatedInput without a decision: the new input is what is judged and run
export default {
  settings: (ctx) => ({ permissions: { deny: ['Bash(mkdir *)'] }, hooks: { ...fate(ctx), ...watch(ctx, 'PreToolUse') } }),
  keep: { noResults: true },
  replies: { PreToolUse: [{ out: { hookSpecificOutput: { hookEventName: 'PreToolUse', updatedInput: { command: 'echo changed', description: 'x' } } } }, { out: { hookSpecificOutput: { hookEventName: 'PreToolUse', updatedInput: { command: 'mkdir made', description: 'x' } } } }, { out: { hookSpecificOutput: { hookEventName: 'PreToolUse', permissionDecision: 'allow', updatedInput: { command: 'touch allowed', description: 'x' } } } }, { out: { hookSpecificOutput: { hookEventName: 'PreToolUse', permissionDecision: 'allow', updatedInput: { command: 'mkdir made', description: 'x' } } } }] },
  model: calls(bash('touch a'), bash('echo b'), bash('touch c'), bash('echo d')),
};
