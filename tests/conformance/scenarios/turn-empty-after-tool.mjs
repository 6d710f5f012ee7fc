export default {
  settings: ({ hook }) => ({ hooks: { Stop: [{ hooks: [{ type: 'command', command: hook('stop') }] }] } }),
  args: ['--allowedTools', 'Bash'],
  script: [{ text: 'a', tools: [{ name: 'Bash', input: { command: 'echo hi', description: 'x' } }] }, { text: '' }, { text: 'three' }],
};
