export default {
  keep: { noResults: true },
  args: ['--allowedTools', 'Bash'],
  script: [{ tools: [{ name: 'Bash', input: { cmd: 'echo hi' } }] }, { text: 'mended' }],
};
