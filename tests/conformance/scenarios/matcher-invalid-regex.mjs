export default {
  settings: ({ hook }) => ({ hooks: { PreToolUse: [{ matcher: '(Bash', hooks: [{ type: 'command', command: hook('h') }] }] } }),
  args: ['--allowedTools', 'Bash'],
  replies: { h: [{ code: 2, err: 'seen' }] },
  script: [{ tools: [{ name: 'Bash', input: { command: 'echo hi', description: 'say hi' } }] }, { text: 'finished' }],
};
