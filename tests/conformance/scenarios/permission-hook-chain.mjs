import { bash, calls } from '../lib/calls.mjs';
import { hooksOn, preAnswer } from '../lib/steps.mjs';
// PreToolUse asks, PermissionRequest allows or denies, with changed inputs on the way
export default {
  settings: hooksOn({ PreToolUse: 'pre', PermissionRequest: 'ask', PostToolUse: 'post', PostToolUseFailure: 'failure' }),
  args: ['--allowedTools', 'Bash'],
  replies: {
    pre: [preAnswer('ask', 'sure?', { updatedInput: { command: 'echo from pre' } }), preAnswer('ask', 'sure?'), preAnswer('ask'), {}],
    ask: [{ out: { hookSpecificOutput: { hookEventName: 'PermissionRequest', decision: { behavior: 'allow' } } } }, { out: { hookSpecificOutput: { hookEventName: 'PermissionRequest', decision: { behavior: 'allow', updatedInput: { command: 'echo from ask' } } } } }, { out: { hookSpecificOutput: { hookEventName: 'PermissionRequest', decision: { behavior: 'deny', message: 'denied by ask' } } } }],
  },
  model: calls(bash('echo a'), bash('echo b'), bash('echo c'), bash('echo d')),
};
