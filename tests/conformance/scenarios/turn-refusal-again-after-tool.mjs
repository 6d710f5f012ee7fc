// once for a turn, or once in a row?
export default {
  settings: ({ hook }) => ({ hooks: { Stop: [{ hooks: [{ type: 'command', command: hook('stop') }] }] } }),
  args: ['--allowedTools', 'Bash'],
  keep: { anyWords: true, noResults: true },
  script: [{ text: 'no', stop: 'refusal' }, { text: 'a', tools: [{ name: 'Bash', input: { command: 'echo hi', description: 'x' } }] }, { text: 'no again', stop: 'refusal' }, { text: 'four' }],
};
