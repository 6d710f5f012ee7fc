import { bash, calls, watch } from '../lib/calls.mjs';
// what counts as a failure under onFailure: block
export default {
  settings: (ctx) => ({ hooks: { ...watch(ctx, 'PostToolUse'), PreToolUse: [{ hooks: [{ type: 'command', command: ctx.hook('h'), onFailure: 'block' }] }] } }),
  args: ['--allowedTools', 'Bash'],
  keep: { noResults: true },
  replies: { h: [{ out: '{"decision": 5}' }, { out: '{broken}' }, { code: 3, out: { hookSpecificOutput: { hookEventName: 'PreToolUse', permissionDecision: 'allow' } } }, { code: 1, err: 'e' }, { out: 'text' }, { code: 127 }] },
  model: calls(...'abcdef'.split('').map((x) => bash(`echo ${x}`))),
};
