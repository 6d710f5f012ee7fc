import { bash, calls, fate } from '../lib/calls.mjs';
// a PermissionRequest hook answers what an ask rule asks
export default {
  settings: (ctx) => ({ permissions: { ask: ['Bash(touch *)'] }, hooks: fate(ctx) }),
  args: ['--allowedTools', 'Bash'],
  replies: { PermissionRequest: [{ out: { hookSpecificOutput: { hookEventName: 'PermissionRequest', decision: { behavior: 'allow' } } } }] },
  keep: { noResults: true },
  model: calls(bash('touch one'), bash('echo two')),
};
