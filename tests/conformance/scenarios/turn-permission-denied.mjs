export default {
  keep: { noResults: true },
  script: [
    { tools: [{ name: 'Bash', input: { command: 'touch made', description: 'make a file' } }] },
    { text: 'was not allowed' },
  ],
};
