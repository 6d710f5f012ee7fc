import { bash, hooksOn, preAnswer } from '../lib/steps.mjs';
// an answer that says yes and no: the old `decision` beside the new `permissionDecision`
const both = (decision, permissionDecision) => ({ out: { ...preAnswer(permissionDecision, `${permissionDecision} said the new field`).out, decision, reason: `${decision} said the old field` } });
export default {
  settings: hooksOn({ PreToolUse: 'pre' }),
  replies: { pre: [both('block', 'allow'), both('approve', 'deny'), both('block', 'ask'), both('approve', 'ask'), both('block', 'deny')] },
  script: [...['touch a', 'touch b', 'touch c', 'touch d', 'touch e'].map((c) => bash(c)), { text: 'finished' }],
};
