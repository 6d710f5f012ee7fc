import { bash, hooksOn, preAnswer } from '../lib/steps.mjs';
// the first of two calls in one answer is deferred
export default {
  settings: hooksOn({ PreToolUse: 'pre', PostToolUse: 'post', PostToolBatch: 'batch', Stop: 'stop' }),
  args: ['--allowedTools', 'Bash'],
  replies: { pre: [preAnswer('defer', 'later'), {}], post: [{}], batch: [{}], stop: [{}] },
  script: [bash('touch a', 'touch b'), { text: 'finished' }],
};
