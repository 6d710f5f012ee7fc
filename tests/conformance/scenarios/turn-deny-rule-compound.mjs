export default {
  settings: { permissions: { deny: ['Bash(rm *)'] } },
  args: ['--allowedTools', 'Bash'],
  files: { 'keep.txt': 'keep\n' },
  keep: { noResults: true },
  script: [
    { tools: [{ name: 'Bash', input: { command: 'echo a && rm keep.txt', description: 'sneak' } }] },
    { text: 'refused' },
  ],
};
