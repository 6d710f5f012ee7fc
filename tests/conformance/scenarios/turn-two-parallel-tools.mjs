export default {
  files: { 'a.txt': 'alpha\n', 'b.txt': 'beta\n' },
  keep: { noResults: true },
  args: ['--allowedTools', 'Bash'],
  script: [
    {
      tools: [
        { name: 'Bash', input: { command: 'cat a.txt', description: 'a' } },
        { name: 'Bash', input: { command: 'cat b.txt', description: 'b' } },
      ],
    },
    { text: 'finished' },
  ],
};
