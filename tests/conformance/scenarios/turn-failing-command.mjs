export default {
  keep: { noResults: true },
  args: ['--allowedTools', 'Bash'],
  script: [{ tools: [{ name: 'Bash', input: { command: 'echo out; echo err >&2; exit 3', description: 'fail' } }] }, { text: 'seen' }],
};
