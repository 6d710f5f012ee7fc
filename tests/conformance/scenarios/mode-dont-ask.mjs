import { bash, calls, fate, write, trusted } from '../lib/calls.mjs';
export default {
  settings: (ctx) => (trusted(ctx), { permissions: { allow: ['Bash(touch *)'], ask: ['Bash(touch asked)'] }, hooks: fate(ctx) }),
  args: ['--permission-mode', 'dontAsk'],
  replies: { PermissionRequest: [{ out: { hookSpecificOutput: { hookEventName: 'PermissionRequest', decision: { behavior: 'allow' } } } }] },
  keep: { noResults: true },
  model: calls(bash('touch b'), bash('mkdir d'), write('c'), bash('touch asked')),
};
