import { answer, bash } from '../lib/steps.mjs';
const post = (hook, name, more) => ({ hooks: [{ type: 'command', command: hook(name), ...more }] });
// asyncRewake without async is waited for: its context, its decision, its timeout
export default {
  settings: ({ hook }) => ({ hooks: { PostToolUse: [post(hook, 'says', { asyncRewake: true }), post(hook, 'slow', { asyncRewake: true, timeout: 1 })], PreToolUse: [post(hook, 'pre', { asyncRewake: true })] } }),
  args: ['--allowedTools', 'Bash'],
  replies: { says: [answer('PostToolUse', { additionalContext: 'context of a waker' }), { out: { decision: 'block', reason: 'a decision' } }, {}], slow: [{ sleep: 3 }, {}], pre: [{}, {}, { code: 2, err: 'not this' }] },
  script: [bash('echo a'), bash('echo b'), bash('echo c'), { text: 'finished' }],
};
