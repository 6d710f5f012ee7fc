import { bash, calls, fate, write } from '../lib/calls.mjs';
// a PermissionRequest hook may still allow what is guarded
export default {
  settings: (ctx) => ({ hooks: fate(ctx) }),
  args: ['--allowedTools', 'Bash'],
  replies: { PermissionRequest: [{ out: { hookSpecificOutput: { hookEventName: 'PermissionRequest', decision: { behavior: 'allow' } } } }] },
  keep: { noResults: true },
  model: calls(bash('touch .claude/x'), write('.git/hooks/pre-commit'), bash('echo x > .bashrc')),
};
