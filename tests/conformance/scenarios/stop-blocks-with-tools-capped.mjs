import { hooksOn, bash } from '../lib/steps.mjs';
// a cap of 3: text, text, a call, text, text, text
export default {
  settings: hooksOn({ Stop: 'stop' }),
  args: ['--allowedTools', 'Bash'],
  env: { CLAUDE_CODE_STOP_HOOK_BLOCK_CAP: '3' },
  replies: { stop: [{ out: { decision: 'block', reason: 'again' } }] },
  script: [{ text: 'a' }, { text: 'b' }, bash('echo hi'), { text: 'c' }, { text: 'd' }, bash('exit 3'), { text: 'e' }, { text: 'f' }, { text: 'g' }, { text: 'h' }, { text: 'i' }],
  keep: { order: true },
};
