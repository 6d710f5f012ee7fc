// after some tool calls without a word the model is reminded of the user
const call = { tools: [{ name: 'Bash', input: { command: 'echo hi', description: 'x' } }] };
export default {
  settings: {},
  args: ['--allowedTools', 'Bash'],
  script: [call, call, call, call, call, call, call, call, call, call, call, call, { text: 'done' }],
};
