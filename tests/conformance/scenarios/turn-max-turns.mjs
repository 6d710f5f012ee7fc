export default {
  args: ['--allowedTools', 'Bash', '--max-turns', '2'],
  script: [
    { tools: [{ name: 'Bash', input: { command: 'echo one', description: 'one' } }] },
    { tools: [{ name: 'Bash', input: { command: 'echo two', description: 'two' } }] },
    { text: 'never asked' },
  ],
};
