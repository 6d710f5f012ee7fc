export default {
  settings: ({ hook }) => ({ hooks: { PostToolBatch: [{ hooks: [{ type: 'command', command: hook('batch') }] }], Stop: [{ hooks: [{ type: 'command', command: hook('stop') }] }] } }),
  args: ['--allowedTools', 'Bash'],
  replies: { batch: [{ code: 2, err: 'halt' }], stop: [{}] },
  script: [{ tools: [{ name: 'Bash', input: { command: 'echo hi', description: 'say hi' } }] }, { text: 'finished' }],
};
