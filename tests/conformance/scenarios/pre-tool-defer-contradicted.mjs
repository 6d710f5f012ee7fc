import { bash, hooksOn, preAnswer } from '../lib/steps.mjs';
// what the other hooks of a call say beside a `defer`: deny first, then ask, allow, a change
export default {
  settings: hooksOn({ PreToolUse: ['one', 'two'], Stop: 'stop' }),
  args: ['--allowedTools', 'Bash'],
  replies: { one: [preAnswer('defer', 'later')], two: [preAnswer('deny', 'never'), preAnswer('ask', 'look'), preAnswer('allow', 'go')], stop: [{}] },
  script: [bash('touch c'), bash('touch d'), bash('touch e'), { text: 'finished' }],
};
