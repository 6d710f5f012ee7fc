import { bash, calls } from '../lib/calls.mjs';
const forms = [null, 5, true, ['Bash'], {}];
// matchers that are no string
export default {
  settings: ({ hook }) => ({ hooks: { PreToolUse: forms.map((matcher, k) => ({ matcher, hooks: [{ type: 'command', command: hook(`m${k}`) }] })), Stop: [{ hooks: [{ type: 'command', command: hook('stop') }] }] } }),
  args: ['--allowedTools', 'Bash'],
  model: calls(bash('echo hi')),
};
