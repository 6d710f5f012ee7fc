import { bash, hooksOn, preAnswer } from '../lib/steps.mjs';
// a change that the tool cannot read: the call does not run, whatever the hook allows
export default {
  settings: hooksOn({ PreToolUse: 'pre', PostToolUse: 'post', PostToolUseFailure: 'failed' }),
  args: ['--allowedTools', 'Bash'],
  keep: { noResults: true },
  replies: { pre: [preAnswer('allow', 'ok', { updatedInput: { cmd: 'echo wrong' } }), preAnswer('allow', 'ok', { updatedInput: {} })], post: [{}], failed: [{}] },
  script: [bash('echo a'), bash('echo b'), { text: 'finished' }],
};
