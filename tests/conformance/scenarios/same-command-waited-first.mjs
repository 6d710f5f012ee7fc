import { bash } from '../lib/steps.mjs';
const entry = (hook, more) => ({ PreToolUse: [{ hooks: [{ type: 'command', command: hook('same'), ...more }] }] });
// the same gate: the user's settings wait for it, the project's repeat it with async
export default {
  userSettings: ({ hook }) => ({ hooks: entry(hook, {}) }),
  settings: ({ hook }) => ({ hooks: entry(hook, { async: true }) }),
  args: ['--allowedTools', 'Bash'],
  replies: { same: [{ code: 2, err: 'not this' }, {}] },
  script: [bash('sleep 0.5'), { text: 'finished' }],
};
