export default {
  settings: ({ hook }) => ({ hooks: { PreToolUse: [{ matcher: 'Bash', hooks: [{ type: 'command', command: hook('h'), onFailure: 'block' }] }] } }),
  args: ['--allowedTools', 'Bash'],
  replies: { h: [{ code: 1, err: 'crashed' }] },
  script: [{ tools: [{ name: 'Bash', input: { command: 'echo hi', description: 'say hi' } }] }, { text: 'finished' }],
};
