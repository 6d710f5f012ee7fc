import { bash, calls, fate, write } from '../lib/calls.mjs';
export default {
  settings: (ctx) => ({ hooks: fate(ctx) }),
  keep: { noResults: true },
  replies: { PermissionRequest: [{ out: { hookSpecificOutput: { hookEventName: 'PermissionRequest', decision: { behavior: 'allow', updatedPermissions: [{ type: 'setMode', mode: 'acceptEdits', destination: 'session' }] } } } }, {}] },
  model: calls(write('a'), write('b'), bash('chmod 644 a')),
};
