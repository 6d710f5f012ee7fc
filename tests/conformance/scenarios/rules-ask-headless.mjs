import { bash, calls, fate, watch, trusted } from '../lib/calls.mjs';
// an ask rule holds where nobody can be asked, whatever else allows
export default {
  settings: (ctx) => (trusted(ctx), { permissions: { ask: ['Bash(touch *)', 'Write'], allow: ['Bash', 'Write'] }, hooks: { ...fate(ctx), ...watch(ctx, 'PreToolUse') } }),
  args: ['--allowedTools', 'Bash', 'Write'],
  replies: { PreToolUse: [{}, { out: { hookSpecificOutput: { hookEventName: 'PreToolUse', permissionDecision: 'allow' } } }, {}] },
  keep: { noResults: true },
  model: calls(bash('touch one'), bash('touch two'), (p) => ({ name: 'Write', input: { file_path: `${p}/three`, content: 'x' } }), bash('mkdir four')),
};
