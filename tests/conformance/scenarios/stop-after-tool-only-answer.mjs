import { bash } from '../lib/calls.mjs';
// what Stop is told when the last answer has a thought and blanks, and text came only beside the tool call
export default {
  settings: ({ hook }) => ({ hooks: { Stop: [{ hooks: [{ type: 'command', command: hook('stop') }] }] } }),
  args: ['--allowedTools', 'Bash'],
  script: [{ text: 'I will look', tools: [bash('echo hi')] }, { text: '  \n' }, { text: 'last' }],
};
