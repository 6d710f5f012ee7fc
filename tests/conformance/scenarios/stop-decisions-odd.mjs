import { hooksOn } from '../lib/steps.mjs';
// decision values that are not in the contract, each beside a hook that blocks once more
export default {
  settings: ({ hook }) => ({ hooks: { Stop: [{ hooks: [{ type: 'command', command: hook('odd') }, { type: 'command', command: hook('more') }] }] } }),
  replies: { odd: ['deny', 'Block', 'BLOCK', '', 1, true, ['block'], 'allow'].map((decision) => ({ out: { decision, reason: `odd ${decision}` } })), more: [...Array(7).fill({ code: 2, err: 'more' }), {}] },
  env: { CLAUDE_CODE_STOP_HOOK_BLOCK_CAP: '0' },
  script: [{ text: 'a' }],
};
