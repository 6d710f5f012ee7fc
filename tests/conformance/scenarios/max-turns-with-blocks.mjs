import { hooksOn, bash } from '../lib/steps.mjs';
// --max-turns 3 with a call, a blocked stop, and another call
export default {
  settings: hooksOn({ Stop: 'stop', PostToolUse: 'post', SessionEnd: 'end' }),
  args: ['--allowedTools', 'Bash', '--max-turns', '3'],
  replies: { stop: [{ code: 2, err: 'go on' }, {}] },
  script: [bash('echo a'), { text: 'b' }, bash('echo c'), { text: 'd' }],
  keep: { order: true },
};
