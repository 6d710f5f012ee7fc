import { bash } from '../lib/steps.mjs';
const variants = [{}, { asyncRewake: true }, { onFailure: 'block' }, { once: true }, { if: 'Bash' }, { if: 'Bash(echo *)' }, { args: [] }, { shell: 'bash' }, { env: { A: '1' } }, { statusMessage: 'x' }];
// which fields make a second hook of the same command
export default {
  settings: ({ hook }) => ({ hooks: { PreToolUse: [{ hooks: variants.map((more) => ({ type: 'command', command: hook('same'), ...more })) }, { matcher: 'Bash', hooks: [{ type: 'command', command: hook('same') }] }] } }),
  args: ['--allowedTools', 'Bash'],
  replies: { same: [{}] },
  script: [bash('echo hi'), { text: 'finished' }],
};
