import { bash, calls } from '../lib/calls.mjs';
import { hooksOn, preAnswer } from '../lib/steps.mjs';
const long = (w) => `${w} ${'y'.repeat(12_000)}`;
// reasons and stderr longer than 10,000 characters
export default {
  settings: hooksOn({ PreToolUse: 'pre', PostToolUse: 'post', Stop: 'stop' }),
  args: ['--allowedTools', 'Bash'],
  replies: {
    pre: [preAnswer('deny', long('deny')), { code: 2, err: long('exit') }, {}],
    post: [{ out: { decision: 'block', reason: long('post') } }, { code: 2, err: long('posterr') }, {}],
    stop: [{ out: { decision: 'block', reason: long('stop') } }, { code: 2, err: long('stoperr') }, {}],
  },
  model: calls(bash('echo a'), bash('echo b'), bash('echo c'), bash('echo d')),
};
