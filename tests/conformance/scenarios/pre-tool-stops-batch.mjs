import { bash, hooksOn } from '../lib/steps.mjs';
export default {
  settings: hooksOn({ PreToolUse: 'pre', PostToolUse: 'post', PostToolBatch: 'batch', Stop: 'stop' }),
  args: ['--allowedTools', 'Bash'],
  replies: { pre: [{ out: { continue: false, stopReason: 'enough' } }, {}], post: [{}], batch: [{}], stop: [{}] },
  script: [bash('touch a', 'touch b'), { text: 'finished' }],
};
