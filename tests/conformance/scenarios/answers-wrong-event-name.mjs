import { bash, calls } from '../lib/calls.mjs';
import { answer, hooksOn } from '../lib/steps.mjs';
// an answer for another event is no answer, on each event
export default {
  settings: hooksOn({ SessionStart: 'start', UserPromptSubmit: 'submit', PreToolUse: 'pre', PostToolUse: 'post', PostToolBatch: 'batch', PostToolUseFailure: 'failure' }),
  args: ['--allowedTools', 'Bash'],
  keep: { firstTold: ['FROM START', 'FROM SUBMIT'] },
  replies: {
    start: [answer('UserPromptSubmit', { additionalContext: 'FROM START' })],
    submit: [answer('SessionStart', { additionalContext: 'FROM SUBMIT' })],
    pre: [answer('PostToolUse', { additionalContext: 'FROM PRE' }, { decision: 'block', reason: 'pre blocks' }), {}],
    post: [answer('PreToolUse', { permissionDecision: 'deny', permissionDecisionReason: 'too late' })],
    batch: [answer('Stop', { additionalContext: 'FROM BATCH' })],
    failure: [answer('PostToolUse', { additionalContext: 'FROM FAILURE' })],
  },
  model: calls(bash('echo one'), bash('exit 3'), bash('echo two')),
};
