export default {
  args: ['--allowedTools', 'Bash'],
  script: [
    { text: 'running', tools: [{ name: 'Bash', input: { command: 'printf hi', description: 'say hi' } }] },
    { text: 'finished' },
  ],
};
