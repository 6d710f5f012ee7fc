import { bash, calls, watch } from '../lib/calls.mjs';
const says = (behavior) => ({ out: { hookSpecificOutput: { hookEventName: 'PermissionRequest', decision: { behavior, ...(behavior === 'deny' ? { message: 'the second says no' } : {}) } } } });
// two that are asked and do not agree
export default {
  settings: (ctx) => ({ hooks: { ...watch(ctx, 'PostToolUse'), PermissionRequest: [{ hooks: [{ type: 'command', command: ctx.hook('one') }, { type: 'command', command: ctx.hook('two') }] }] } }),
  keep: { noResults: true },
  replies: { one: [{ ...says('allow'), sleep: 0.5 }], two: [says('deny')] },
  model: calls(bash('touch a')),
};
