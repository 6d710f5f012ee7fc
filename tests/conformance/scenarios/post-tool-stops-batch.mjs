import { bash, hooksOn } from '../lib/steps.mjs';
export default {
  settings: hooksOn({ PostToolUse: 'post', PostToolBatch: 'batch', Stop: 'stop' }),
  args: ['--allowedTools', 'Bash'],
  replies: { post: [{ out: { continue: false, stopReason: 'enough' } }, {}], batch: [{}], stop: [{}] },
  script: [bash('touch a', 'touch b'), { text: 'finished' }],
};
