import { bash, hooksOn, preAnswer } from '../lib/steps.mjs';
// with permissions bypassed a hook's ask and deny still hold
export default {
  settings: hooksOn({ PreToolUse: 'pre', PermissionRequest: 'asked' }),
  args: ['--dangerously-skip-permissions'],
  env: { IS_SANDBOX: '1' },
  replies: { pre: [preAnswer('ask', 'a person should look'), preAnswer('deny', 'never'), preAnswer('ask'), preAnswer('allow', 'fine')], asked: [{}] },
  script: [bash('touch a'), bash('touch b'), bash('touch c'), bash('touch d'), { text: 'finished' }],
};
