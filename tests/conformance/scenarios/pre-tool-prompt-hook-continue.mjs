import { bash, calls, watch } from '../lib/calls.mjs';
const made = calls(bash('echo a'), bash('echo b'));
export default {
  settings: (ctx) => ({ hooks: { ...watch(ctx, 'PostToolUse', 'Stop'), PreToolUse: [{ hooks: [{ type: 'prompt', prompt: 'Is it fine? $ARGUMENTS', continueOnBlock: true }] }] } }),
  args: ['--allowedTools', 'Bash'],
  model: (b, at) => (at.main ? made(b, at) : { text: at.n ? '{"ok": true}' : '{"ok": false, "reason": "not fine"}' }),
};
