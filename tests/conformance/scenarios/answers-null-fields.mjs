import { bash, calls } from '../lib/calls.mjs';
import { answer, hooksOn } from '../lib/steps.mjs';
// null in place of an absent field
export default {
  settings: hooksOn({ UserPromptSubmit: 'submit', PreToolUse: 'pre', PostToolUse: 'post', Stop: 'stop' }),
  args: ['--allowedTools', 'Bash'],
  keep: { firstTold: ['CTX'] },
  replies: {
    submit: [{ out: { continue: null, decision: null, hookSpecificOutput: { hookEventName: 'UserPromptSubmit', additionalContext: 'CTX' } } }],
    pre: [answer('PreToolUse', { permissionDecision: 'deny', permissionDecisionReason: null }), answer('PreToolUse', { permissionDecision: 'deny', permissionDecisionReason: 'no', updatedInput: null }), answer('PreToolUse', { permissionDecision: null, additionalContext: 'PRE' }), {}],
    post: [{ out: { decision: 'block', reason: null } }, {}],
    stop: [{ out: { decision: 'block', reason: 'again', stopReason: null } }, { out: { hookSpecificOutput: null, decision: 'block', reason: 'more' } }, { out: { systemMessage: null, decision: 'block', reason: 'yet more' } }, {}],
  },
  model: calls(bash('echo a'), bash('echo b'), bash('echo c'), bash('echo d')),
};
